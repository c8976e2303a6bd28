#include "server/commands/config_command.h"

#include <fmt/core.h>

#include <memory>
#include <string>

#include "protocol/json_text.h"
#include "server/commands/answer_fields.h"
#include "server/commands/connection_options.h"
#include "server/config/check_config.h"
#include "server/config/config_reference.h"
#include "server/config/load_config.h"

namespace server {
namespace {

struct ConfigArguments {
  std::string file{};
  ConnectionOptions connection{};  // of reload
  bool json = false;
};

constexpr char config_footer[] =
    R"(Order of precedence, lowest first: built-in defaults, /etc/scribed/config.toml,
~/.config/scribed/config.toml, the file of --config or SCRIBED_CONFIG, environment
variables, the command line.)";

constexpr char reload_footer[] =
    R"(If the server requires keys, the key needs the scope manage. SIGHUP does the same
without a key.)";

Result<Config> load(const ConfigArguments& arguments) {
  return load_config({.environment = process_environment, .named_file = arguments.file});
}

ExitCode show(const ConfigArguments& arguments) {
  const auto config = load(arguments);
  if (!config) return report_error(config.error());
  if (arguments.json) {
    fmt::print("{}\n", protocol::json::dump(config_json(*config), 2));
  } else {
    fmt::print("{}", config_text(*config));
  }
  return ExitCode::ok;
}

ExitCode check(const ConfigArguments& arguments) {
  const auto config = load(arguments);
  if (!config) return report_error(config.error());
  const bool has_keys = !config->server.api_key.empty() || !config->server.key_file.empty();
  const auto checked = check_config(*config, has_keys);
  if (!checked) return report_error(checked.error());
  fmt::print("The configuration is fine.\n");
  return ExitCode::ok;
}

ExitCode reload(const ConfigArguments& arguments) {
  const auto client = find_server(arguments.connection);
  if (!client) return report_error(client.error());
  const auto answer = client->call({.method = "POST", .path = "/v1/config/reload"});
  if (!answer) return report_error(answer.error());
  const auto body = json_of(*client, *answer);
  if (!body) return report_error(body.error());
  for (const auto& key : field_array(*body, "changed")) {
    fmt::print("changed: {}\n", key.is_string() ? key.get<std::string>() : "");
  }
  for (const auto& key : field_array(*body, "need_restart")) {
    fmt::print("restart required: {}\n", key.is_string() ? key.get<std::string>() : "");
  }
  fmt::print("Reloaded: keys ({}), limits and the log level.\n",
             field_number(*body, "keys").value_or(0));
  return ExitCode::ok;
}

ExitCode example(const ConfigArguments&) {
  fmt::print("{}", config_reference());
  return ExitCode::ok;
}

}  // namespace

void add_config_command(CLI::App& app, Command& chosen) {
  auto* config = app.add_subcommand("config", "Show and check the configuration");
  config->require_subcommand(1);
  config->footer(config_footer);
  const auto arguments = std::make_shared<ConfigArguments>();
  const auto add = [&](const char* name, const char* help,
                       ExitCode (*run)(const ConfigArguments&)) {
    auto* command = config->add_subcommand(name, help);
    command->callback(
        [arguments, run, &chosen] { chosen = [arguments, run] { return run(*arguments); }; });
    return command;
  };
  auto* shown = add("show", "Print every setting and where its value comes from", show);
  shown->add_flag("--json", arguments->json, "Print one JSON object");
  shown->add_option("--config", arguments->file, "Also read this file")->type_name("FILE");
  add("check", "Check the configuration; exit code 2 if it has errors", check)
      ->add_option("FILE", arguments->file, "Also read this file");
  auto* reloaded = add("reload", "Make the daemon reload keys, limits and the log level", reload);
  add_connection_options(*reloaded, arguments->connection);
  reloaded->footer(reload_footer);
  add("example", "Print a configuration file with all settings, commented out", example);
}

}  // namespace server
