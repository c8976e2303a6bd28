#include "server/commands/mcp_command.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "protocol/json_text.h"
#include "server/base/race.h"
#include "server/base/version.h"
#include "server/commands/config_options.h"
#include "server/commands/connection_options.h"
#include "server/commands/mcp_bridge_run.h"
#include "server/commands/owner_rights.h"
#include "server/commands/surroundings.h"
#include "server/config/environment.h"
#include "server/config/folders.h"
#include "server/daemon/job_service.h"
#include "server/daemon/part_settings.h"
#include "server/daemon/state_slot.h"
#include "server/lifecycle/stop_signals.h"
#include "server/mcp/mcp_server.h"
#include "server/mcp/stdio_lines.h"
#include "server/mcp/tools/local_path.h"
#include "server/mcp/tools/mcp_tools.h"
#include "server/models/hub.h"
#include "server/submission/submission.h"

namespace server {
namespace {

constexpr char mcp_footer[] =
    R"(MCP hosts start this command. Tools can read files below the working folder and
your home folder, or the folders of --allow-path. It ends when stdin is closed;
unfinished jobs continue at the next start. If a server of this machine listens on
a Unix socket, it uses that server, so that all hosts share models and jobs. It
does not with --alone, or with options for the model, the device or the state
folder.)";

struct McpArguments {
  ConfigOptions config{};
  std::string connect{};
  std::filesystem::path key_file{};
  bool trust_server = false;
  bool alone = false;
};

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
    // Only finished transcriptions are resources.
    if (job.state != JobState::done || job.request.options.language_only) return;
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
  McpTools tools((*service)->services(), submission,
                 stdio_tool_settings(config, (*service)->services(), process_environment("HOME")),
                 program_version());
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

ExitCode work_alone(const Config& config, ConfigOptions& options, platform::UniqueFd output) {
  // What root's hosts do is root's, and no part of a service that has another user.
  const bool is_system = ::geteuid() == 0 && check_owner_of("/var/lib/scribed").has_value();
  const auto parent = state_folder(config, process_environment, is_system) / "mcp";
  if (const auto fine = check_owner_of(parent.parent_path()); !fine) {
    return report_error(fine.error());
  }
  auto slot = take_state_slot(parent);
  if (!slot) return report_error(slot.error());
  HubAccess hub = hub_access(process_environment);
  forget_secrets();
  Config own = config;
  own.cluster.database.clear();  // the jobs of this host are its own
  return serve_stdio(own, options, *std::move(slot), std::move(hub), std::move(output));
}

Result<std::string> key_for_daemon(const McpArguments& arguments, const Config& config) {
  if (!arguments.key_file.empty()) return read_key(arguments.key_file);
  return config.server.api_key;
}

// Returns whether the socket is this user's. Whoever shares one without keys shares the jobs, too.
bool is_own(const std::string& socket) {
  struct stat found {};
  return ::stat(socket.c_str(), &found) == 0 && found.st_uid == ::geteuid();
}

// Returns the daemon to join; nothing: there is none that was asked for or that takes this user.
Result<std::optional<ApiClient>> daemon_to_join(const McpArguments& arguments, const Config& config,
                                                bool may_join) {
  if (!arguments.connect.empty()) {
    auto client = find_server({.server = arguments.connect,
                               .key_file = arguments.key_file,
                               .trust_server = arguments.trust_server});
    if (!client) return client.error();
    if (const auto usable = check_joinable(*client); !usable) return usable.error();
    return std::optional(*std::move(client));
  }
  const std::string socket = may_join ? listening_socket(config, process_environment) : "";
  if (socket.empty()) return std::optional<ApiClient>();
  auto key = key_for_daemon(arguments, config);
  if (!key) return key.error();
  if (key->empty() && !is_own(socket)) return std::optional<ApiClient>();
  auto address = parse_server_address("unix:" + socket);
  if (!address) return address.error();
  ApiClient client(*std::move(address), *std::move(key));
  const auto usable = check_joinable(client);
  if (usable) return std::optional(std::move(client));
  report_warning(usable.error().message + "; working alone");
  return std::optional<ApiClient>();
}

ExitCode run_mcp(McpArguments& arguments, bool asks_for_own) {
  auto output = take_stdout();
  if ((asks_for_own || arguments.alone) && !arguments.connect.empty()) {
    return report_error(
        {errc::usage, "--connect lets another scribed serve do the work",
         "Leave out --alone, and what concerns a model, a device or a folder of jobs."});
  }
  const auto config = read_config(arguments.config);
  if (!config) return report_error(config.error());
  auto daemon = daemon_to_join(arguments, *config, !arguments.alone && !asks_for_own);
  if (!daemon) return report_error(daemon.error());
  if (!*daemon) return work_alone(*config, arguments.config, std::move(output));
  forget_secrets();
  const std::string home = process_environment("HOME");
  return bridge_stdio(
      **std::move(daemon),
      {.folders = readable_folders(*config),
       .path_of = [home](const std::string& given) { return local_path(given, home); }},
      std::move(output));
}

// Whether the line asks something of a server of its own, which another one cannot follow.
bool asks_for_own_server(const CLI::App& command) {
  constexpr std::array<std::string_view, 6> others{"--config",  "--allow-path", "--api-key-file",
                                                   "--connect", "--alone",      "--trust-server"};
  return std::ranges::any_of(command.get_options(), [&](const CLI::Option* option) {
    return option->count() > 0 && std::ranges::find(others, option->get_name()) == others.end();
  });
}

}  // namespace

void add_mcp_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("mcp", "Run an MCP server on stdin and stdout");
  const auto arguments = std::make_shared<McpArguments>();
  command->footer(mcp_footer);
  command
      ->add_option("--connect", arguments->connect,
                   "Use this running server, as http://HOST:PORT or unix:/PATH")
      ->type_name("URL");
  command->add_flag("--alone", arguments->alone, "Do not use a running server");
  command
      ->add_option("--api-key-file", arguments->key_file,
                   "File with the API key for that server; also $SCRIBED_API_KEY")
      ->type_name("FILE");
  add_trust_option(*command, arguments->trust_server);
  add_config_options(*command, arguments->config);
  command->callback([arguments, command, &chosen] {
    chosen = [arguments, command] { return run_mcp(*arguments, asks_for_own_server(*command)); };
  });
}

}  // namespace server
