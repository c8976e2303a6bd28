#include "server/mcp/tools/job_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "server/mcp/tools/shown.h"
#include "server/mcp/tools/subtitle_arguments.h"
#include "server/options/line_options.h"
#include "server/transcription/clock_text.h"

namespace server {
namespace {

constexpr std::size_t most_warning_bytes = 2000;  // then the rest is counted

int next_wait_s(const ToolSettings& settings) {
  return std::min(30, static_cast<int>(settings.wait.count()));
}

std::string still_runs(const Job& job) {
  return fmt::format("The job continues in the background: {}.", progress_text(job.progress));
}

}  // namespace

std::string about_recording(const Job& job) {
  const std::string time = clock_text(job.duration);
  return job.language.empty() ? time
                              : fmt::format("{}, language {}", time, shown_name(job.language));
}

std::vector<std::string> notes_of(const protocol::Transcript& summary) {
  std::vector<std::string> notes;
  if (summary.fallback) {
    notes.push_back(
        fmt::format("The CPU was used, because {}.", shown_line(summary.fallback->headline)));
  }
  std::size_t bytes = 0, told = 0;
  for (const auto& warning : summary.warnings) {
    if (bytes > most_warning_bytes) break;
    notes.push_back(shown_line(warning));
    bytes += notes.back().size();
    ++told;
  }
  const std::size_t left = summary.warnings.size() - told;
  if (left > 0) notes.push_back(fmt::format("There are {} more warnings.", left));
  return notes;
}

std::vector<std::string> notes_of_file(const protocol::Transcript& transcript,
                                       const Delivery& delivery) {
  auto notes = notes_of(transcript);
  const auto has_words = [](const protocol::Segment& segment) { return !segment.words.empty(); };
  const bool lacks_words =
      !transcript.segments.empty() && std::ranges::none_of(transcript.segments, has_words);
  if (has_line_option(delivery.subtitles.lines) && lacks_words) {
    notes.emplace_back(
        "The arguments for lines have no effect: the job has no word timestamps. transcribe with "
        "timestamps set to word finds them.");
  }
  return notes;
}

std::string next_page(const Job& job, int next, const ToolSettings& settings) {
  if (next < job.segments) {
    return fmt::format(
        "There is more: call get_job with job=\"{}\" and offset={} for the next page.", job.id,
        next);
  }
  if (!has_ended(job.state)) {
    const char* anew = job.request.options.diarize
                           ? " Who speaks is known at its end: its pages are other ones then, from "
                             "offset=0 on."
                           : "";
    return fmt::format(
        "{} Call get_job with job=\"{}\", offset={} and wait_s={} for the rest, or cancel_job to "
        "end it.{}",
        still_runs(job), job.id, next, next_wait_s(settings), anew);
  }
  return fmt::format(
      "Nothing is left to read. For times, segments or another format of it call get_job with "
      "job=\"{}\"; do not transcribe it again.",
      job.id);
}

std::string next_file_page(const Job& job, const Delivery& delivery, int next) {
  return fmt::format(
      "There is more: call get_job with job=\"{}\", format=\"{}\"{} and offset={} for the next "
      "page; the pages joined are the file.",
      job.id, delivery.format, repeated_arguments(delivery.subtitles), next);
}

std::string next_look(const Job& job, const Delivery& delivery, const ToolSettings& settings) {
  const std::string file = delivery.output_file.empty()
                               ? ""
                               : fmt::format(", output_file={}", json_string(delivery.output_file));
  return fmt::format(
      "{} Call get_job with job=\"{}\", format=\"{}\"{}{} and wait_s={}, again and again until it "
      "is done; or cancel_job to end it.",
      still_runs(job), job.id, delivery.format, repeated_arguments(delivery.subtitles), file,
      next_wait_s(settings));
}

}  // namespace server
