#include "server/commands/status_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "server/commands/answer_fields.h"
#include "server/commands/connection_options.h"
#include "server/commands/job_report.h"
#include "server/commands/table.h"

namespace server {
namespace {

struct StatusArguments {
  ConnectionOptions connection{};
  bool json = false;
};

// Asks for `path` and prints the answer, or what `text` makes of it.
ExitCode print_answer(const StatusArguments& arguments, const char* path,
                      std::string (*text)(const nlohmann::json&, const ApiClient&)) {
  const auto client = find_server(arguments.connection);
  if (!client) return report_error(client.error());
  const auto answer = client->call({.path = path});
  if (!answer) return report_error(answer.error());
  const auto body = json_of(*client, *answer);
  if (!body) return report_error(body.error());
  fmt::print("{}", arguments.json ? answer->body + "\n" : text(*body, *client));
  return ExitCode::ok;
}

ExitCode print_status(const StatusArguments& arguments) {
  return print_answer(arguments, "/v1/status", [](const auto& body, const ApiClient& client) {
    return status_text(body, client.address().text());
  });
}

ExitCode print_loaded(const StatusArguments& arguments) {
  return print_answer(arguments, "/v1/ps", [](const auto& body, const ApiClient&) {
    return models_table(field_array(body, "models"), table_width());
  });
}

void add_question(CLI::App& app, Command& chosen, const char* name, const char* help,
                  ExitCode (*run)(const StatusArguments&)) {
  auto* command = app.add_subcommand(name, help);
  const auto arguments = std::make_shared<StatusArguments>();
  add_connection_options(*command, arguments->connection);
  command->add_flag("--json", arguments->json, "Print the server's response, one JSON object");
  command->callback(
      [arguments, run, &chosen] { chosen = [arguments, run] { return run(*arguments); }; });
}

}  // namespace

void add_status_commands(CLI::App& app, Command& chosen) {
  add_question(app, chosen, "status", "Show the status of a running server", print_status);
  add_question(app, chosen, "ps", "List the models that a running server has loaded", print_loaded);
}

}  // namespace server
