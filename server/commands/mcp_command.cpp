#include "server/commands/mcp_command.h"

#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
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

#include "server/commands/device_options.h"
#include "server/commands/stop_signals.h"
#include "server/commands/worker_setup.h"
#include "server/mcp/speech_tools.h"
#include "server/mcp/stdio_lines.h"
#include "server/process/programs.h"
#include "server/process/race.h"

namespace server {
namespace {

struct McpArguments {
  std::string model = "base";
  std::vector<std::filesystem::path> allow_paths{};
  DeviceArguments device{};
  int threads = 0;
};

constexpr char footer[] = R"(Meant to be started by an MCP host. Files may be read below the
working folder and the home folder, unless --allow-path names others.
It ends when stdin does.)";

std::vector<std::filesystem::path> readable_folders(const McpArguments& arguments) {
  if (!arguments.allow_paths.empty()) return arguments.allow_paths;
  std::error_code missing;
  std::vector<std::filesystem::path> folders{std::filesystem::current_path(missing)};
  if (const char* home = std::getenv("HOME")) folders.emplace_back(home);
  return folders;
}

// The protocol's own descriptor: from here on whatever writes to stdout writes to stderr, so that
// no library can spoil the protocol.
platform::UniqueFd take_stdout() {
  platform::UniqueFd taken(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  return taken;
}

ModelHost::Settings host_settings(const McpArguments& arguments, const Programs& programs) {
  const auto find = [&arguments](const std::string& model,
                                 const protocol::TranscribeOptions& options) {
    std::vector<std::string> problems;
    return find_worker_setup({model, arguments.threads, options}, arguments.device, problems);
  };
  return {.decoder = programs.decoder, .find_setup = find};
}

constexpr std::chrono::seconds end_limit{2};

asio::awaitable<bool> expiry_or_cancel(asio::steady_timer& timer) {
  boost::system::error_code cancelled;
  co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, cancelled));
  co_return true;
}

// Until stdin ends, its reader goes, or a signal comes; then nobody waits for an answer.
asio::awaitable<void> serve_until_end(McpServer& server, StdioLines& lines, StopSignals& signals) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer ended(executor, asio::steady_timer::time_point::max());
  lines.start({.on_line = [&server](std::string line) { server.receive(line); },
               .on_end = [&ended] { ended.cancel(); }});
  auto signal = signals.next();
  co_await race(std::move(signal), expiry_or_cancel(ended));
  server.close();
  const auto deadline = std::chrono::steady_clock::now() + end_limit;
  while (server.calls() > 0 && std::chrono::steady_clock::now() < deadline) {
    co_await sleep_for(std::chrono::milliseconds(5));
  }
  // A call that still asks a driver cannot be ended. The kernel ends our children with us.
  if (server.calls() > 0) std::_Exit(static_cast<int>(ExitCode::ok));
}

ExitCode run_mcp(const McpArguments& arguments) {
  const auto programs = find_programs();
  if (!programs) return report_error(programs.error());
  asio::io_context io(1);
  StopSignals signals(io.get_executor());
  StdioLines lines(io.get_executor(), platform::UniqueFd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)),
                   take_stdout(), {});
  ModelHost host(io.get_executor(), host_settings(arguments, *programs));
  const AllowedPaths paths(readable_folders(arguments));
  SpeechTools tools(host, paths, arguments.model);
  const auto features = speech_features(SCRIBED_VERSION);
  McpServer server(io.get_executor(), features, tools,
                   [&lines](std::string text) { lines.write(std::move(text)); });
  asio::co_spawn(io, serve_until_end(server, lines, signals), [&io](std::exception_ptr failure) {
    io.stop();
    if (failure) std::rethrow_exception(failure);
  });
  try {
    io.run();
  } catch (const std::exception& failure) {
    // Calls that were left in the middle refer to what would now be destroyed before them.
    report_error({errc::internal, failure.what(), ""});
    std::_Exit(static_cast<int>(ExitCode::internal));
  }
  return ExitCode::ok;
}

}  // namespace

void add_mcp_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("mcp", "Serve MCP hosts on stdin and stdout");
  const auto arguments = std::make_shared<McpArguments>();
  command->footer(footer);
  command->add_option("--model", arguments->model, "Model where a call names none")
      ->capture_default_str();
  command
      ->add_option("--allow-path", arguments->allow_paths,
                   "Folder whose files may be transcribed; may be given several times")
      ->type_name("FOLDER");
  command->add_option("--threads", arguments->threads, "CPU threads of the model")
      ->check(CLI::Range(0, 1024));
  add_device_options(*command, arguments->device);
  command->callback([arguments, &chosen] { chosen = [arguments] { return run_mcp(*arguments); }; });
}

}  // namespace server
