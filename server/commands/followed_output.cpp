#include "server/commands/followed_output.h"

#include <unistd.h>

#include <utility>

#include "protocol/docx/transcript_files.h"
#include "protocol/transcript_json.h"
#include "server/client/job_events.h"
#include "server/commands/job_report.h"

namespace server {
namespace {

// Whether the events of a job tell all that the format shows.
bool can_stream(const FollowedOutput& wanted) {
  return wanted.format != "json" && wanted.format != "rttm" &&
         wanted.format != protocol::docx_format && !wanted.with_words && !wanted.diarized;
}

Result<std::string> fetch(const ApiClient& client, const std::string& job, const char* format) {
  const auto path = path_of_job(job);
  if (!path) return path.error();
  auto answer = client.call({.path = *path + "/transcript?format=" + format});
  if (!answer) return answer.error();
  return std::move(answer->body);
}

// The output of one job. Segments are written as they come, or kept until all of them are there.
class JobOutput {
 public:
  JobOutput(const FollowedOutput& wanted, std::unique_ptr<OutputSink> sink,
            std::unique_ptr<protocol::Writer> writer)
      : wanted_(wanted), output_(std::move(sink), std::move(writer), wanted.with_words) {}

  Result<void> take(const protocol::Segment& segment) {
    if (!can_stream(wanted_)) return {};
    if (const auto begun = begin(); !begun) return begun;
    transcript_.segments.push_back(segment);
    transcript_.text += segment.text;
    if (::isatty(STDOUT_FILENO) == 1) wanted_.progress.clear();
    return output_.segment(segment);
  }

  // A job that was cut short ends after its last segment; without any it leaves no output.
  Result<void> finish(const std::string& job, bool is_whole) {
    wanted_.progress.clear();
    if (wanted_.format == "rttm") return is_whole ? write_turns(job) : Result<void>();
    if (!can_stream(wanted_)) {
      if (!is_whole) return {};
      if (const auto written = write_whole(job); !written) return written;
    } else if (!is_whole && transcript_.segments.empty()) {
      return {};
    }
    if (const auto begun = begin(); !begun) return begun;
    return output_.finish(transcript_);
  }

 private:
  Result<void> begin() {
    return std::exchange(has_begun_, true) ? Result<void>() : output_.begin();
  }

  // The server knows whether the speakers were told apart, and says so where they were not.
  Result<void> write_turns(const std::string& job) {
    const auto rttm = fetch(wanted_.client, job, "rttm");
    return rttm ? output_.whole(*rttm) : rttm.error();
  }

  Result<void> write_whole(const std::string& job) {
    const auto text = fetch(wanted_.client, job, "json");
    if (!text) return text.error();
    auto transcript = protocol::parse_transcript(*text);
    if (!transcript) return transcript.error();
    transcript_ = *std::move(transcript);
    if (const auto begun = begin(); !begun) return begun;
    for (const auto& segment : transcript_.segments) {
      if (const auto written = output_.segment(segment); !written) return written;
    }
    return {};
  }

  const FollowedOutput& wanted_;
  TranscriptOutput output_;
  protocol::Transcript transcript_{};
  bool has_begun_ = false;
};

}  // namespace

Result<nlohmann::json> write_followed_job(const FollowedOutput& wanted, const std::string& job,
                                          std::unique_ptr<OutputSink> sink) {
  auto writer = protocol::make_file_writer(wanted.format, wanted.writer);
  if (!writer) return writer.error();
  JobOutput output(wanted, std::move(sink), *std::move(writer));
  auto ended = follow_job(
      wanted.client, job,
      {.on_segment = [&](const nlohmann::json& one) { return output.take(segment_of(one)); },
       .on_job = [&](const nlohmann::json& now) { wanted.progress.update(progress_of(now)); },
       .is_stopped = [&] { return wanted.interruption.has_come(); }});
  const Error problem = ended ? problem_of(*ended) : ended.error();
  const bool is_whole = problem.code.empty();
  // Without a reader nothing can be finished.
  if (problem.code == reader_gone) return problem;
  const auto finished = output.finish(job, is_whole);
  if (!is_whole) return problem;
  if (!finished) return finished.error();
  return ended;
}

}  // namespace server
