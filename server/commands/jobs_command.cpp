#include "server/commands/jobs_command.h"

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "protocol/json_text.h"
#include "protocol/subtitles/layout.h"
#include "protocol/writers.h"
#include "server/client/job_events.h"
#include "server/commands/answer_fields.h"
#include "server/commands/connection_options.h"
#include "server/commands/followed_output.h"
#include "server/commands/job_report.h"
#include "server/commands/jobs_delete.h"
#include "server/commands/speaker_names.h"
#include "server/commands/table.h"
#include "server/http/percent.h"
#include "server/log/escaped_text.h"

namespace server {
namespace {

constexpr char jobs_footer[] =
    R"(You see the jobs of your key. A finished job is kept until it is deleted, or for
the time to live of the server (jobs.keep_results_s) or of the job.)";

struct JobsArguments {
  ConnectionOptions connection{};
  std::string job{};
  std::string after{};
  std::string format = "txt";
  std::string status{};  // this and the next three narrow the list; empty: all jobs
  std::string model{};
  std::string language{};
  std::string query{};               // stands in the title or the text
  std::vector<std::string> names{};  // of speakers: "A=Anna"
  std::string title{};
  int limit = 20;
  JobsToDelete unwanted{};
  bool json = false;
};

struct ReadAnswer {
  std::string text;
  nlohmann::json body;  // the text, parsed
};

Result<ReadAnswer> ask(const ApiClient& client, const ApiRequest& request) {
  auto answer = client.call(request);
  if (!answer) return answer.error();
  auto body = json_of(client, *answer);
  if (!body) return body.error();
  return ReadAnswer{std::move(answer->body), *std::move(body)};
}

// Returns the address of a list of the jobs that are wanted.
std::string path_of_list(const JobsArguments& arguments) {
  std::string path = fmt::format("/v1/jobs?limit={}", arguments.limit);
  const std::array<std::pair<const char*, const std::string&>, 4> filters{
      {{"status", arguments.status},
       {"model", arguments.model},
       {"language", arguments.language},
       {"q", arguments.query}}};
  for (const auto& [name, value] : filters) {
    if (!value.empty()) path += fmt::format("&{}={}", name, encode_percent(value));
  }
  return path;
}

ExitCode list_some(const JobsArguments& arguments, const ApiClient& client) {
  std::string path = path_of_list(arguments);
  if (!arguments.after.empty()) {
    if (const auto known = path_of_job(arguments.after); !known) return report_error(known.error());
    path += "&after=" + arguments.after;
  }
  const auto answer = ask(client, {.path = path});
  if (!answer) return report_error(answer.error());
  const auto& jobs = field_array(answer->body, "data");
  const bool has_more = field_flag(answer->body, "has_more");
  fmt::print("{}",
             arguments.json ? answer->text + "\n" : jobs_table(jobs, has_more, table_width()));
  return ExitCode::ok;
}

ExitCode show_one(const JobsArguments& arguments, const ApiClient& client) {
  const auto path = path_of_job(arguments.job);
  if (!path) return report_error(path.error());
  const auto answer = ask(client, {.path = *path});
  if (!answer) return report_error(answer.error());
  fmt::print("{}", arguments.json ? answer->text + "\n" : job_text(answer->body));
  return ExitCode::ok;
}

// The route also forgets a job that has ended, with its text, which nobody means by "cancel".
ExitCode cancel_one(const JobsArguments& arguments, const ApiClient& client) {
  const auto path = path_of_job(arguments.job);
  if (!path) return report_error(path.error());
  const auto job = ask(client, {.path = *path});
  if (!job) return report_error(job.error());
  if (job_has_ended(job->body)) {
    return report_error(
        {errc::usage,
         fmt::format("the job {} is finished: {}", arguments.job, field_text(job->body, "status")),
         "To see its text: scribed jobs follow " + arguments.job});
  }
  const auto answer = client.call({.method = "DELETE", .path = *path});
  if (!answer) return report_error(answer.error());
  fmt::print("{}", arguments.json ? answer->body + "\n" : arguments.job + " is cancelled\n");
  return ExitCode::ok;
}

ExitCode delete_some(const JobsArguments& arguments, const ApiClient& client) {
  JobsToDelete wanted = arguments.unwanted;
  wanted.json = arguments.json;
  return delete_jobs(wanted, client);
}

Result<ReadAnswer> change_one(const JobsArguments& arguments, const ApiClient& client,
                              std::string body) {
  const auto path = path_of_job(arguments.job);
  if (!path) return path.error();
  return ask(client, {.method = "PATCH",
                      .path = *path,
                      .headers = {"Content-Type: application/json"},
                      .body = std::move(body)});
}

ExitCode name_one(const JobsArguments& arguments, const ApiClient& client) {
  const nlohmann::json body{{"title", arguments.title}};
  const auto answer = change_one(arguments, client, protocol::json::dump(body));
  if (!answer) return report_error(answer.error());
  fmt::print("{}\n",
             arguments.json ? answer->text : printable_line(field_text(answer->body, "title")));
  return ExitCode::ok;
}

template <bool is_pinned>
ExitCode pin_one(const JobsArguments& arguments, const ApiClient& client) {
  const nlohmann::json body{{"pinned", is_pinned}};
  const auto answer = change_one(arguments, client, protocol::json::dump(body));
  if (!answer) return report_error(answer.error());
  fmt::print("{}\n", arguments.json ? answer->text
                                    : arguments.job + " is kept " + kept_until(answer->body));
  return ExitCode::ok;
}

ExitCode rename_speakers_of_one(const JobsArguments& arguments, const ApiClient& client) {
  auto body = speaker_names_body(arguments.names);
  if (!body) return report_error(body.error());
  const auto answer = change_one(arguments, client, *std::move(body));
  if (!answer) return report_error(answer.error());
  fmt::print("{}\n", arguments.json ? answer->text : printable_line(speakers_text(answer->body)));
  return ExitCode::ok;
}

ExitCode follow_one(const JobsArguments& arguments, const ApiClient& client) {
  const auto path = path_of_job(arguments.job);
  if (!path) return report_error(path.error());
  const auto job = ask(client, {.path = *path});
  if (!job) return report_error(job.error());
  Interruption interruption;
  ProgressLine progress(::isatty(STDERR_FILENO) == 1);
  const FollowedOutput wanted{.client = client,
                              .interruption = interruption,
                              .progress = progress,
                              .writer = protocol::with_style({}, protocol::SubtitleStyle::standard),
                              .diarized = field_flag(job->body, "diarize")};
  std::vector<FormatSink> sinks;
  sinks.push_back({arguments.format, stdout_sink(interruption.fd())});
  const auto ended = write_followed_job(wanted, arguments.job, std::move(sinks));
  progress.clear();
  if (ended) return ExitCode::ok;
  if (ended.error().code == reader_gone) return ExitCode::ok;
  if (interruption.has_come()) return interruption.exit_code();
  return report_error(ended.error());
}

}  // namespace

void add_jobs_command(CLI::App& app, Command& chosen) {
  auto* jobs = app.add_subcommand(
      "jobs",
      "List, show, follow, cancel, delete, name and pin jobs of a server, and name speakers");
  jobs->require_subcommand(0, 1);
  jobs->footer(jobs_footer);
  const auto arguments = std::make_shared<JobsArguments>();
  const auto run = [arguments, &chosen](auto work) {
    chosen = [arguments, work] {
      const auto client = find_server(arguments->connection);
      return client ? work(*arguments, *client) : report_error(client.error());
    };
  };
  jobs->callback([jobs, run] {
    if (jobs->get_subcommands().empty()) run(list_some);
  });
  const auto add_subcommand = [&](const char* name, const char* help, auto work) {
    auto* command = jobs->add_subcommand(name, help);
    add_connection_options(*command, arguments->connection);
    command->callback([run, work] { run(work); });
    return command;
  };
  const auto with_json = [&](CLI::App* command) {
    command->add_flag("--json", arguments->json, "Print the server's response, one JSON object");
    return command;
  };
  const auto with_job = [&](CLI::App* command) {
    command->add_option("JOB", arguments->job, "Its id")->required();
    return command;
  };

  add_connection_options(*jobs, arguments->connection);
  with_json(jobs);
  auto* list = with_json(add_subcommand("list", "List your jobs, newest first", list_some));
  list->add_option("--limit", arguments->limit, "How many")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  list->add_option("--after", arguments->after, "Only jobs older than this job")->type_name("JOB");
  list->add_option("--status", arguments->status, "Only jobs with this status")
      ->check(CLI::IsMember({"queued", "running", "done", "failed", "cancelled"}));
  list->add_option("--model", arguments->model, "Only jobs of this model")->type_name("NAME");
  list->add_option("--language", arguments->language, "Only jobs in this language: de, German")
      ->type_name("LANGUAGE");
  list->add_option("-q,--query", arguments->query,
                   "Only jobs with this in their title or transcript")
      ->type_name("TEXT");
  with_job(with_json(add_subcommand("show", "Show a job", show_one)));
  with_job(with_json(
      add_subcommand("cancel", "Cancel a job that is not finished, and remove it", cancel_one)));
  auto* unwanted = with_json(add_subcommand(
      "delete", "Delete finished jobs with their transcripts and recordings", delete_some));
  unwanted->add_option("JOB", arguments->unwanted.jobs, "Their ids");
  unwanted
      ->add_option(
          "--older-than", arguments->unwanted.older_than,
          "Delete all jobs that finished longer ago than this (30d, 12h, 90m) and are not pinned")
      ->type_name("AGE");
  unwanted
      ->add_option("--owner", arguments->unwanted.owner,
                   "With --older-than: only jobs of this name; needs a key with the scope manage")
      ->type_name("NAME");
  unwanted->add_flag("-y,--yes", arguments->unwanted.yes, "Do not ask");
  with_job(with_json(add_subcommand("rename", "Name the speakers of a finished job",
                                    rename_speakers_of_one)))
      ->add_option("NAME", arguments->names, "A=Anna for each speaker; A= restores the letter")
      ->required()
      ->type_name("LETTER=NAME");
  with_job(with_json(add_subcommand("title", "Set the title of a job", name_one)))
      ->add_option("TITLE", arguments->title, "Empty: the file name");
  with_job(with_json(add_subcommand("pin", "Keep a job until it is unpinned", pin_one<true>)));
  with_job(with_json(add_subcommand("unpin", "Unpin a job", pin_one<false>)));
  const auto formats = protocol::writer_formats();
  with_job(add_subcommand("follow", "Print a job's text while it is transcribed", follow_one))
      ->add_option("--format", arguments->format, "Format of the text")
      ->check(CLI::IsMember(std::set<std::string>(formats.begin(), formats.end())))
      ->capture_default_str();
  // Subcommands have taken the footer over by now, and this is not true of them.
  jobs->footer(std::string(jobs_footer) + " Without a subcommand: list.");
}

}  // namespace server
