#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "server/http/listener.h"
#include "server/http/origin_guard.h"
#include "server/mcp/http_endpoint.h"
#include "tests/conformance/fixture.h"

// The server that the conformance suite is run against: usage: scribed-conformance-server PORT

namespace {

using namespace server;

asio::awaitable<void> dispatch(Exchange& exchange, const OriginGuard& guard,
                               McpHttpEndpoint& endpoint) {
  const auto allowed = guard.check(exchange.headers());
  if (!allowed || exchange.path() != "/mcp") {
    Response refusal{.status = allowed ? http::status::not_found : http::status::forbidden};
    co_await exchange.send(std::move(refusal));
    co_return;
  }
  const std::string principal = "tester";
  McpHttpEndpoint::Charge charge = [](std::size_t) { return std::nullopt; };
  co_await endpoint.handle(exchange, principal, std::move(charge));
}

int serve(const std::string& port) {
  asio::io_context io(1);
  conformance::FixtureCalls calls;
  McpHttpEndpoint endpoint(io.get_executor(), calls.features(), calls, {});
  const OriginGuard guard({});
  const auto answer = [&](Exchange& exchange) { return dispatch(exchange, guard, endpoint); };
  auto listening =
      HttpServer::open(io.get_executor(), {.addresses = {"127.0.0.1:" + port}, .dispatch = answer});
  if (!listening) {
    std::fprintf(stderr, "%s\n", listening.error().message.c_str());
    return 1;
  }
  std::printf("http://127.0.0.1:%d/mcp\n", listening->port());
  std::fflush(stdout);
  asio::signal_set signals(io, SIGINT, SIGTERM);
  signals.async_wait([&io](boost::system::error_code, int) { io.stop(); });
  io.run();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return serve(argc > 1 ? argv[1] : "0");
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
