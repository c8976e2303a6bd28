#include "server/commands/followed_output.h"

#include <unistd.h>

#include <utility>

#include "protocol/docx/transcript_files.h"
#include "protocol/transcript_json.h"
#include "server/client/job_events.h"
#include "server/commands/job_report.h"

namespace server {
namespace {

// Returns whether the events of a job are enough to write the format. A layout also needs the
// language.
bool can_stream(std::string_view format, const protocol::WriterOptions& options) {
  const bool is_laid_out = options.layout && (format == "srt" || format == "vtt");
  return !is_laid_out && format != "json" && format != "rttm" && format != "ass" &&
         format != protocol::docx_format;
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
  // `turns`: of the sinks of rttm, whose text the server writes.
  JobOutput(const FollowedOutput& wanted, bool can_stream, TranscriptOutput output,
            TranscriptOutput turns)
      : wanted_(wanted),
        can_stream_(can_stream),
        output_(std::move(output)),
        turns_(std::move(turns)) {}

  Result<void> take(const protocol::Segment& segment) {
    transcript_.segments.push_back(segment);
    transcript_.text += segment.text;
    if (!can_stream_) return {};
    begin();
    if (::isatty(STDOUT_FILENO) == 1) wanted_.progress.clear();
    return output_.segment(segment);
  }

  // A job that was cut short ends after its last segment; without any it leaves no output.
  Result<void> finish(const std::string& job, bool is_whole) {
    wanted_.progress.clear();
    if (!is_whole) return cut_short();
    if (const auto written = write_turns(job); !written) return written;
    if (output_.is_empty()) return {};
    if (!can_stream_) {
      if (const auto written = write_whole(job); !written) return written;
    }
    begin();
    return output_.finish(transcript_);
  }

 private:
  void begin() {
    if (!std::exchange(has_begun_, true)) output_.begin();
  }

  // Formats that are written at the end have what was decided, without what is known at the end.
  Result<void> cut_short() {
    if (transcript_.segments.empty() || !output_.keeps_partial()) return {};
    if (!can_stream_) {
      if (const auto written = write_segments(); !written) return written;
    }
    return output_.cut_short(transcript_);
  }

  Result<void> write_segments() {
    begin();
    for (const auto& segment : transcript_.segments) {
      if (const auto written = output_.segment(segment); !written) return written;
    }
    return {};
  }

  // The server knows whether the speakers were told apart, and says so where they were not.
  Result<void> write_turns(const std::string& job) {
    if (turns_.is_empty()) return {};
    const auto rttm = fetch(wanted_.client, job, "rttm");
    return rttm ? turns_.whole(*rttm) : rttm.error();
  }

  Result<void> write_whole(const std::string& job) {
    const auto text = fetch(wanted_.client, job, "json");
    if (!text) return text.error();
    auto transcript = protocol::parse_transcript(*text);
    if (!transcript) return transcript.error();
    transcript_ = *std::move(transcript);
    return write_segments();
  }

  const FollowedOutput& wanted_;
  bool can_stream_;
  TranscriptOutput output_;
  TranscriptOutput turns_;
  protocol::Transcript transcript_{};
  bool has_begun_ = false;
};

Result<JobOutput> job_output(const FollowedOutput& wanted, std::vector<FormatSink> sinks) {
  bool streams = !wanted.with_words && !wanted.diarized;
  std::vector<TranscriptOutput::Part> parts, turns;
  for (FormatSink& one : sinks) {
    auto writer = protocol::make_file_writer(one.format, wanted.writer);
    if (!writer) return writer.error();
    streams &= can_stream(one.format, wanted.writer);
    auto& place = one.format == "rttm" ? turns : parts;
    place.push_back({.sink = std::move(one.sink), .writer = *std::move(writer)});
  }
  return JobOutput(wanted, streams, TranscriptOutput(std::move(parts), wanted.with_words),
                   TranscriptOutput(std::move(turns), false));
}

}  // namespace

Result<nlohmann::json> write_followed_job(const FollowedOutput& wanted, const std::string& job,
                                          std::vector<FormatSink> sinks) {
  auto made = job_output(wanted, std::move(sinks));
  if (!made) return made.error();
  JobOutput& output = *made;
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
