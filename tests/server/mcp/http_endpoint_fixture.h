#pragma once

#include <gtest/gtest.h>

#include <boost/asio/this_coro.hpp>
#include <optional>
#include <vector>

#include "protocol/json_text.h"
#include "server/base/fair_calls.h"
#include "server/mcp/http_endpoint.h"
#include "tests/server/http/raw_client.h"
#include "tests/server/http/running_server.h"
#include "tests/server/mcp/test_calls.h"

namespace server::test {

namespace jsonrpc = protocol::jsonrpc;

inline Json modern(Json params) {
  params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                     {"io.modelcontextprotocol/clientCapabilities", Json::object()},
                     {"progressToken", "p"}};
  return params;
}

inline std::string post(const Json& message, const std::string& headers = "") {
  const std::string body = protocol::json::dump(message);
  return "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
         "Accept: application/json, text/event-stream\r\n" +
         headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

inline std::string legacy_call(const std::string& tool, int id = 1,
                               const std::string& headers = "") {
  const Json params{{"name", tool}, {"_meta", {{"progressToken", "p"}}}};
  return post(jsonrpc::request_message(id, "tools/call", params),
              "MCP-Protocol-Version: 2025-11-25\r\n" + headers);
}

inline std::string modern_call(const std::string& tool) {
  return post(
      jsonrpc::request_message(1, "tools/call", modern({{"name", tool}})),
      "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: " + tool + "\r\n");
}

inline std::string cancellation(int id, const std::string& headers = "") {
  return post(jsonrpc::notification_message("notifications/cancelled", {{"requestId", id}}),
              "MCP-Protocol-Version: 2025-11-25\r\n" + headers);
}

class HttpEndpoint : public testing::Test {
 protected:
  explicit HttpEndpoint(McpHttpEndpoint::Settings settings = {}, HttpLimits limits = {})
      : settings_(settings),
        server([this](Exchange& exchange) { return dispatch(exchange); }, limits) {}

  asio::awaitable<void> dispatch(Exchange& exchange) {
    const auto executor = co_await asio::this_coro::executor;
    if (!endpoint) endpoint.emplace(executor, calls.features(), calls, settings_);
    const std::string principal = exchange.headers()["X-User"];
    exchange.name_key(principal);
    McpHttpEndpoint::Charge charge = [this](std::size_t number) {
      charged.push_back(number);
      return number <= may_call
                 ? std::nullopt
                 : std::optional(Response{.status = http::status::too_many_requests});
    };
    co_await endpoint->handle(exchange, principal, std::move(charge));
  }

  // Returns a client that has sent the request.
  RawClient sent(const std::string& request) {
    RawClient client(server.port());
    client.send(request);
    return client;
  }
  std::string answer_to(const std::string& request) { return sent(request).read_answer(); }

  test::TestCalls calls;
  std::optional<McpHttpEndpoint> endpoint;
  McpHttpEndpoint::Settings settings_;
  std::size_t may_call = 100;
  std::vector<std::size_t> charged;
  test::RunningServer server;
};

}  // namespace server::test
