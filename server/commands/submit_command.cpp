#include "server/commands/submit_command.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "server/commands/answer_fields.h"
#include "server/commands/connection_options.h"
#include "server/commands/form_fields.h"
#include "server/commands/sent_input.h"
#include "server/commands/transcribe_options.h"

namespace server {
namespace {

constexpr char submit_footer[] =
    R"(Prints the id of each job, in the order of the files. The jobs run on the server:
see scribed jobs, scribed jobs follow JOB.)";

struct SubmitArguments {
  ConnectionOptions connection{};
  TranscribeArguments transcription{};
  std::string webhook{};
  std::string priority{};
  bool json = false;
};

// Submits one file and prints its job; the server's answer is one line.
Result<void> submit_one(const SubmitArguments& arguments, const ApiClient& client,
                        const std::string& input,
                        const std::vector<std::pair<std::string, std::string>>& fields) {
  const auto answer = send_job(client, input, fields, {});
  if (!answer) return answer.error();
  const auto job = json_of(client, *answer);
  if (!job) return job.error();
  fmt::print("{}\n", arguments.json ? answer->body : field_text(*job, "id"));
  return {};
}

ExitCode run_submit(const SubmitArguments& arguments, const CLI::App& command) {
  const auto files = check_no_addresses(arguments.transcription.inputs);
  if (!files) return report_error(files.error());
  auto fields = form_fields(command);
  if (!fields) return report_error(fields.error());
  if (!arguments.webhook.empty()) fields->emplace_back("webhook_url", arguments.webhook);
  if (!arguments.priority.empty()) fields->emplace_back("priority", arguments.priority);
  const auto client = find_server(arguments.connection);
  if (!client) return report_error(client.error());
  ExitCode first = ExitCode::ok;
  for (const auto& input : arguments.transcription.inputs) {
    const auto done = submit_one(arguments, *client, input, *fields);
    if (done) continue;
    const bool is_of_the_server = done.error().code == no_server;
    const auto code = report_error(is_of_the_server ? "" : input + ": ", done.error());
    if (first == ExitCode::ok) first = code;
    if (is_of_the_server) break;
  }
  return first;
}

}  // namespace

void add_submit_command(CLI::App& app, Command& chosen) {
  auto* command = app.add_subcommand("submit", "Submit recordings to a server as jobs");
  const auto arguments = std::make_shared<SubmitArguments>();
  auto& transcription = arguments->transcription;
  command->footer(submit_footer);
  command->add_option("FILE", transcription.inputs, "Audio or video files; - is stdin")->required();
  command->add_option("--model", transcription.model, "Model; default: the server's default")
      ->type_name("MODEL");
  command->add_option("--webhook", arguments->webhook, "URL that is called when a job finishes")
      ->type_name("URL");
  command
      ->add_option("--priority", arguments->priority,
                   "normal, or bulk: start only if no normal job is queued")
      ->type_name("PRIORITY")
      ->check(CLI::IsMember({"normal", "bulk"}));
  command->add_flag("--json", arguments->json,
                    "Print the server's responses, one JSON object per line");
  add_connection_options(*command, arguments->connection);
  add_form_options(*command, transcription);
  command->callback([arguments, command, &chosen] {
    chosen = [arguments, command] { return run_submit(*arguments, *command); };
  });
}

}  // namespace server
