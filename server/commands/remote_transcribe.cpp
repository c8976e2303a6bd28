#include "server/commands/remote_transcribe.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "server/client/job_events.h"
#include "server/commands/answer_fields.h"
#include "server/commands/command.h"
#include "server/commands/followed_output.h"
#include "server/commands/output_plan.h"
#include "server/commands/sent_input.h"

namespace server {
namespace {

// Forgets a job of ours when this object goes, whatever has become of it. A server that does not
// answer any more keeps it until it expires.
class OwnJob {
 public:
  OwnJob(const ApiClient& client, std::string path) : client_(client), path_(std::move(path)) {}
  OwnJob(const OwnJob&) = delete;
  ~OwnJob() {
    const ApiRequest request{
        .method = "DELETE", .path = path_, .patience = std::chrono::seconds(5)};
    [[maybe_unused]] const auto forgotten = client_.send(request);
  }

 private:
  const ApiClient& client_;
  std::string path_;
};

class RemoteSession {
 public:
  RemoteSession(const TranscribeArguments& arguments, OutputPlan outputs, const ApiClient& client)
      : arguments_(arguments),
        outputs_(std::move(outputs)),
        client_(client),
        progress_(!arguments.quiet && ::isatty(STDERR_FILENO) == 1) {}

  // The exit code is that of the first failure; the inputs after it are still done.
  ExitCode run(const std::vector<std::pair<std::string, std::string>>& fields) {
    ExitCode first = ExitCode::ok;
    for (std::size_t index = 0; index < arguments_.inputs.size(); ++index) {
      const std::string name = arguments_.inputs[index] == "-" ? "stdin" : arguments_.inputs[index];
      if (is_done(index, name)) continue;
      progress_.start(arguments_.inputs.size() > 1 ? shown_on_stderr(name + ": ") : "");
      const auto done = transcribe_input(index, name, fields);
      progress_.clear();
      if (interruption_.has_come()) return interruption_.exit_code();
      if (done) continue;
      const std::string& code = done.error().code;
      if (code == reader_gone) break;
      const bool is_of_the_server = code == no_server || code == errc::unauthorized;
      const auto exit = report_error(is_of_the_server ? "" : name + ": ", done.error());
      if (first == ExitCode::ok) first = exit;
      if (is_of_the_server) break;
    }
    return first;
  }

 private:
  Result<void> transcribe_input(std::size_t index, const std::string& name,
                                const std::vector<std::pair<std::string, std::string>>& fields) {
    auto sinks = open_outputs(index);
    if (!sinks) return sinks.error();
    const auto sent = send_job(client_, arguments_.inputs[index], fields,
                               [this] { return interruption_.has_come(); });
    if (!sent) return sent.error();
    const auto job = json_of(client_, *sent);
    if (!job) return job.error();
    const std::string id = field_text(*job, "id");
    const auto path = path_of_job(id);
    if (!path) return path.error();
    const OwnJob own(client_, *path);
    const auto ended = write_followed_job({.client = client_,
                                           .interruption = interruption_,
                                           .progress = progress_,
                                           .writer = arguments_.writer,
                                           .with_words = arguments_.options.word_timestamps,
                                           .diarized = field_flag(*job, "diarize")},
                                          id, *std::move(sinks));
    if (!ended) return ended.error();
    warn(name, *ended);
    return {};
  }

  bool is_done(std::size_t index, const std::string& name) {
    if (!arguments_.skip_existing || !outputs_.exists(index)) return false;
    if (!arguments_.quiet) {
      fmt::print(stderr, "scribed: {}: has its transcript already; skipped\n",
                 shown_on_stderr(name));
    }
    return true;
  }

  // With --skip-existing formats that are there already are left as they are.
  Result<std::vector<FormatSink>> open_outputs(std::size_t index) {
    std::vector<FormatSink> sinks;
    for (std::size_t i = 0; i < arguments_.formats.size(); ++i) {
      if (arguments_.skip_existing && outputs_.exists(index, i)) continue;
      auto sink = outputs_.open(index, i, interruption_.fd(), arguments_.keep_partial);
      if (!sink) return sink.error();
      sinks.push_back({arguments_.formats[i], *std::move(sink)});
    }
    return sinks;
  }

  // An unused card is told with --quiet, too, as where this machine transcribes.
  void warn(const std::string& name, const nlohmann::json& job) {
    progress_.clear();
    const std::string unused = field_text(field_object(job, "device_fallback"), "reason");
    if (!unused.empty()) {
      report_warning(unused + "; transcribed on " + field_text(job, "device"));
    }
    if (arguments_.quiet) return;
    for (const auto& warning : field_array(job, "warnings")) {
      if (warning.is_string()) report_warning(name + ": " + warning.get<std::string>());
    }
  }

  const TranscribeArguments& arguments_;
  OutputPlan outputs_;
  const ApiClient& client_;
  Interruption interruption_;
  ProgressLine progress_;
};

}  // namespace

ExitCode run_remote_transcribe(const TranscribeArguments& arguments,
                               const std::vector<std::pair<std::string, std::string>>& fields) {
  auto outputs = plan_outputs(arguments.inputs, arguments.output, arguments.formats);
  if (!outputs) return report_error(outputs.error());
  const auto client = find_server(arguments.connection);
  if (!client) return report_error(client.error());
  return RemoteSession(arguments, *std::move(outputs), *client).run(fields);
}

}  // namespace server
