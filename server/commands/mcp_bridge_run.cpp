#include "server/commands/mcp_bridge_run.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <utility>

#include "protocol/json_text.h"
#include "server/base/once_event.h"
#include "server/base/race.h"
#include "server/commands/command.h"
#include "server/lifecycle/stop_signals.h"
#include "server/mcp/stdio_lines.h"

namespace server {
namespace {

asio::awaitable<Elapsed> end_of(OnceEvent& event) {
  co_await event.wait();
  co_return Elapsed{};
}

asio::awaitable<void> bridge_until_end(bridge::McpBridge& bridge, StdioLines& lines,
                                       StopSignals& signals) {
  const auto executor = co_await asio::this_coro::executor;
  OnceEvent ended(executor);
  lines.start({.on_line = [&bridge](std::string line) { bridge.receive(std::move(line)); },
               .on_end = [&ended] { ended.set(); }});
  auto signal = signals.next();
  auto end = end_of(ended);
  co_await race(std::move(signal), std::move(end));
  bridge.close();
}

}  // namespace

Result<void> check_joinable(const ApiClient& client) {
  const auto answer = client.call({.path = "/v1/models", .patience = std::chrono::seconds(5)});
  return answer ? Result<void>() : answer.error();
}

ExitCode bridge_stdio(ApiClient client, bridge::McpBridge::Settings settings,
                      platform::UniqueFd output) {
  fmt::print(stderr, "scribed: joined the scribed serve at {}\n", client.address().text());
  asio::io_context io(1);
  // The signals are blocked before any thread starts, because threads inherit that.
  StopSignals signals(io.get_executor());
  StdioLines lines(io.get_executor(), platform::UniqueFd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
                   std::move(output), {});
  bridge::McpBridge bridge(
      io.get_executor(), std::move(client), std::move(settings),
      [&lines](const bridge::Json& message) { lines.write(protocol::json::dump(message)); });
  asio::co_spawn(io, bridge_until_end(bridge, lines, signals), [&io](std::exception_ptr failure) {
    io.stop();
    if (failure) std::rethrow_exception(failure);
  });
  io.run();
  return ExitCode::ok;
}

}  // namespace server
