#include "server/commands/mcp_command.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "protocol/json_text.h"
#include "server/base/race.h"
#include "server/commands/config_options.h"
#include "server/commands/surroundings.h"
#include "server/config/environment.h"
#include "server/config/folders.h"
#include "server/daemon/job_service.h"
#include "server/daemon/part_settings.h"
#include "server/daemon/state_slot.h"
#include "server/lifecycle/stop_signals.h"
#include "server/mcp/mcp_server.h"
#include "server/mcp/stdio_lines.h"
#include "server/mcp/tools/mcp_tools.h"
#include "server/models/hub.h"
#include "server/submission/submission.h"

namespace server {
namespace {

constexpr char mcp_footer[] = R"(Meant to be started by an MCP host. Files may be read below the
working folder and the home folder, unless --allow-path names others.
It ends when stdin does; jobs that were left go on when it is started again.)";

bool holds(const std::filesystem::path& folder, const std::filesystem::path& inside) {
  const auto [end, rest] = std::ranges::mismatch(folder, inside);
  return folder == folder.root_path() || (end == folder.end() && rest != inside.end());
}

std::vector<std::filesystem::path> readable_folders(const Config& config) {
  const auto& named = config.inputs.allow_paths;
  if (!named.empty()) return {named.begin(), named.end()};
  const std::filesystem::path home(process_environment("HOME"));
  std::vector<std::filesystem::path> folders;
  std::error_code missing;
  const auto working = std::filesystem::current_path(missing);
  // Some hosts start servers in "/", which nobody has chosen and which holds everything.
  if (!missing && !holds(working, home)) folders.push_back(working);
  if (!home.empty()) folders.push_back(home);
  return folders;
}

// Returns a descriptor for the protocol alone: from here on whatever writes to stdout writes to
// stderr, so that no library can spoil the protocol.
platform::UniqueFd take_stdout() {
  platform::UniqueFd taken(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return taken;
}

constexpr std::chrono::seconds end_limit{2};

asio::awaitable<bool> expiry_or_cancel(asio::steady_timer& timer) {
  boost::system::error_code cancelled;
  auto wait = asio::redirect_error(asio::use_awaitable, cancelled);
  co_await timer.async_wait(std::move(wait));
  co_return true;
}

asio::awaitable<Elapsed> stop_at_once(JobService& service, McpServer& server) {
  co_await service.stop(std::chrono::milliseconds(0));
  while (server.calls() > 0) co_await sleep_for(std::chrono::milliseconds(5));
  co_return Elapsed{};
}

// Serves until stdin ends, its reader goes, or a signal comes; then nobody waits for an answer.
asio::awaitable<void> serve_until_end(JobService& service, McpServer& server, StdioLines& lines,
                                      StopSignals& signals) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer ended(executor, asio::steady_timer::time_point::max());
  lines.start({.on_line = [&server](std::string line) { server.receive(line); },
               .on_end = [&ended] { ended.cancel(); }});
  service.on_job_end([&server](const Job& job) {
    if (job.state != JobState::done) return;  // only finished jobs are resources
    server.resource_updated("transcript://" + job.id);
    server.resources_changed();
  });
  service.start();
  auto signal = signals.next();
  co_await race(std::move(signal), expiry_or_cancel(ended));
  server.close();
  auto stopping = stop_at_once(service, server);
  const auto stopped = co_await within(end_limit, std::move(stopping));
  // A call that still asks a driver cannot be ended, so the process exits here. The kernel kills
  // our children with us.
  if (!stopped) std::_Exit(static_cast<int>(ExitCode::ok));
}

ExitCode serve_stdio(const Config& config, const ConfigOptions& options, StateSlot slot,
                     HubAccess hub, platform::UniqueFd output) {
  asio::io_context io(1);
  // The signals are blocked before any thread starts, because threads inherit that.
  StopSignals signals(io.get_executor());
  Log log(log_settings(config, LogLevel::warning, process_environment));
  StdioLines lines(io.get_executor(), platform::UniqueFd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
                   std::move(output), {});
  auto service = JobService::open(io.get_executor(), log,
                                  {.config = config,
                                   .sources = setup_sources(options.device),
                                   .state_folder = slot.folder,
                                   .allow_paths = readable_folders(config),
                                   .hub = std::move(hub)});
  if (!service) return report_error(service.error());
  Submission submission((*service)->services(), submission_settings(config));
  McpTools tools((*service)->services(), submission, tool_settings(config), SCRIBED_VERSION);
  const auto send = [&lines](const protocol::mcp::Json& message) {
    lines.write(protocol::json::dump(message));
  };
  McpServer server(io.get_executor(), tools.features(), tools, send, {});
  asio::co_spawn(io, serve_until_end(**service, server, lines, signals),
                 [&io](std::exception_ptr failure) {
                   io.stop();
                   if (failure) std::rethrow_exception(failure);
                 });
  try {
    io.run();
  } catch (const std::exception& failure) {
    // Calls that were left in the middle refer to objects that would be destroyed before them, so
    // the process exits here.
    report_error({errc::internal, failure.what(), ""});
    std::_Exit(static_cast<int>(ExitCode::internal));
  }
  return ExitCode::ok;
}

ExitCode run_mcp(ConfigOptions& options) {
  auto output = take_stdout();
  const auto config = read_config(options);
  if (!config) return report_error(config.error());
  const auto parent = state_folder(*config, process_environment, ::geteuid() == 0) / "mcp";
  auto slot = take_state_slot(parent);
  if (!slot) return report_error(slot.error());
  HubAccess hub = hub_access(process_environment);
  forget_secrets();
  return serve_stdio(*config, options, *std::move(slot), std::move(hub), std::move(output));
}

}  // namespace

void add_mcp_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("mcp", "Serve MCP hosts on stdin and stdout");
  const auto options = std::make_shared<ConfigOptions>();
  command->footer(mcp_footer);
  add_config_options(*command, *options);
  command->callback([options, &chosen] { chosen = [options] { return run_mcp(*options); }; });
}

}  // namespace server
