#include "server/commands/serve_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <utility>

#include "server/commands/config_options.h"
#include "server/commands/owner_rights.h"
#include "server/commands/surroundings.h"
#include "server/config/environment.h"
#include "server/config/folders.h"
#include "server/daemon/daemon.h"
#include "server/models/hub.h"

namespace server {
namespace {

constexpr char serve_footer[] =
    R"(OpenAI's audio API, jobs, live transcription, and MCP at /mcp; see /docs in a
browser. Listens on this machine only; another --listen address needs keys.
SIGTERM or Ctrl-C: running requests finish; jobs continue at the next start.
SIGHUP, or scribed config reload: reloads keys, limits and the log level, and
reopens the log file.)";

ExitCode run_serve(ConfigOptions& options) {
  const auto config = read_config(options);
  if (!config) return report_error(config.error());
  const auto folder = state_folder(*config, process_environment, ::geteuid() == 0);
  if (const auto fine = check_owner_of(folder); !fine) return report_error(fine.error());
  HubAccess hub = hub_access(process_environment);
  forget_secrets();
  const auto ended =
      run_daemon({.config = *config,
                  .sources = setup_sources(options.device),
                  .state_folder = folder,
                  .hub = std::move(hub),
                  .read_again = [options]() mutable { return read_config(options); }});
  return ended ? ExitCode::ok : report_error(ended.error());
}

}  // namespace

void add_serve_command(CLI::App& app, Command& chosen) {
  auto* command =
      app.add_subcommand("serve", "Run the server: REST API, MCP, live transcription, web page");
  const auto options = std::make_shared<ConfigOptions>();
  command->footer(serve_footer);
  add_server_options(*command, *options);
  add_config_options(*command, *options);
  command->callback([options, &chosen] { chosen = [options] { return run_serve(*options); }; });
}

}  // namespace server
