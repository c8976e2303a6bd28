#include "server/mcp/running_call.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <optional>
#include <vector>

#include "tests/server/mcp/test_calls.h"
#include "tests/server/started.h"

namespace server {
namespace {

using test::Json;

class RunningCalls : public testing::Test {
 protected:
  void make(std::chrono::seconds patience) {
    server.emplace(
        io.get_executor(), calls.features(), calls,
        [this](const Json& message) { sent.push_back(message); },
        McpServer::Settings{.revision = "2025-11-25", .patience = patience});
  }
  void begin(const char* tool, const Json& meta) {
    if (!server) make(std::chrono::seconds(30));
    server->receive_value(
        protocol::jsonrpc::request_message(1, "tools/call", {{"name", tool}, {"_meta", meta}}));
  }
  const Json& wait_for_message(std::size_t count) {
    test::run_until(io, [&] { return sent.size() >= count; });
    return sent.at(count - 1);
  }
  // Returns the client's answer to the question, as the tool `asking` passes it on.
  std::string passed_on() {
    test::run_until(io, [&] { return server->calls() == 0; });
    return sent.back()["result"]["content"][0]["text"];
  }

  asio::io_context io;
  test::TestCalls calls;
  std::vector<Json> sent;
  std::optional<McpServer> server;
};

TEST_F(RunningCalls, TellProgressUnderTheTokenOfTheirClient) {
  begin("telling", {{"progressToken", "p"}});
  const Json told = wait_for_message(1);
  EXPECT_EQ(told["method"], "notifications/progress");
  EXPECT_EQ(told["params"]["progressToken"], "p");
  EXPECT_EQ(told["params"]["progress"], 1);
  EXPECT_EQ(told["params"]["total"], 2);
  EXPECT_EQ(told["params"]["message"], "half");
  EXPECT_EQ(wait_for_message(2)["id"], 1);
}

TEST_F(RunningCalls, TellNothingToAClientThatDoesNotAsk) {
  begin("telling", Json::object());
  EXPECT_EQ(wait_for_message(1)["id"], 1);
  EXPECT_EQ(sent.size(), 1U);
}

TEST_F(RunningCalls, GetTheAnswerToTheirQuestion) {
  begin("asking", Json::object());
  const Json question = wait_for_message(1);
  EXPECT_EQ(question["method"], "roots/list");
  server->receive_value(protocol::jsonrpc::result_message("another", {{"roots", "forged"}}));
  EXPECT_EQ(server->calls(), 1U) << "nobody had asked that";
  server->receive_value(protocol::jsonrpc::result_message(question["id"], {{"roots", "these"}}));
  EXPECT_EQ(passed_on(), R"({"roots":"these"})");
}

TEST_F(RunningCalls, HearWhatTheClientRefuses) {
  begin("asking", Json::object());
  const Json question = wait_for_message(1);
  server->receive_value(
      protocol::jsonrpc::error_message(question["id"], {-1, "the person said no", {}}));
  EXPECT_EQ(passed_on(), "The person said no.");
}

TEST_F(RunningCalls, DoNotWaitForEverForAnAnswer) {
  make(std::chrono::seconds(0));
  begin("asking", Json::object());
  EXPECT_EQ(passed_on(),
            "The client did not answer roots/list. Try again with a client that does.");
}

TEST_F(RunningCalls, AskNothingOfAModernClient) {
  begin("asking", {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                   {"io.modelcontextprotocol/clientCapabilities", Json::object()}});
  EXPECT_EQ(passed_on(),
            "The client did not answer roots/list. Try again with a client that does.");
  EXPECT_EQ(sent.size(), 1U);
}

}  // namespace
}  // namespace server
