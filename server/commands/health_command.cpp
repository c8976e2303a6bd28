#include "server/commands/health_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "server/client/api_client.h"
#include "server/config/environment.h"
#include "server/config/load_config.h"

namespace server {
namespace {

constexpr char health_footer[] =
    R"(For health checks of containers and supervisors. The server is --server, else
--listen, else $SCRIBED_SERVER, else the first address of server.listen in the
configuration.

Exit code 0: it can transcribe; 1: it cannot, or does not respond;
2: the configuration is wrong.)";

struct HealthArguments {
  std::string server{};
  std::string file{};
  std::string listen{};
  double timeout_s = 5;
};

Result<ServerAddress> address_to_ask(const HealthArguments& arguments) {
  if (!arguments.server.empty()) return parse_server_address(arguments.server);
  const std::string usual = process_environment("SCRIBED_SERVER");
  if (arguments.listen.empty() && !usual.empty()) return parse_server_address(usual);
  ConfigSources sources{.environment = process_environment, .named_file = arguments.file};
  if (!arguments.listen.empty()) {
    sources.flags.push_back({"server.listen", "--listen", arguments.listen});
  }
  const auto config = load_config(sources);
  if (!config) return config.error();
  const auto& listen = config->server.listen;
  return address_of_listener(listen.empty() ? "" : listen.front());
}

ExitCode run_health(const HealthArguments& arguments) {
  const auto address = address_to_ask(arguments);
  if (!address) return report_error(address.error());
  const std::chrono::milliseconds limit(static_cast<long>(arguments.timeout_s * 1000));
  const auto answer = ApiClient(*address, "").send({.path = "/readyz", .patience = limit});
  if (!answer) {
    report_error(answer.error());
    return ExitCode::internal;
  }
  fmt::print("{}", answer->body);
  return answer->status == 200 ? ExitCode::ok : ExitCode::internal;
}

}  // namespace

void add_health_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("health", "Check whether a running daemon can transcribe");
  const auto arguments = std::make_shared<HealthArguments>();
  command->footer(health_footer);
  command->add_option("--config", arguments->file, "Also read this file")->type_name("FILE");
  command
      ->add_option("--server", arguments->server,
                   "Server, as http://HOST:PORT or unix:/PATH; also $SCRIBED_SERVER")
      ->type_name("URL");
  command->add_option("--listen", arguments->listen, "Address of the daemon")
      ->type_name("ADDRESS:PORT");
  command->add_option("--timeout", arguments->timeout_s, "Timeout in seconds")
      ->check(CLI::Range(0.1, 600.0))
      ->capture_default_str();
  command->callback(
      [arguments, &chosen] { chosen = [arguments] { return run_health(*arguments); }; });
}

}  // namespace server
