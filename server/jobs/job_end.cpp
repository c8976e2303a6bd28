#include "server/jobs/job_end.h"

#include <fmt/format.h>

namespace server {
namespace {

constexpr char no_speakers[] =
    "The transcript has no speaker labels: the transcription ended before they were assigned.";

}  // namespace

JobEnd stored_end(const Job& job, JobEnd end) {
  const bool has_no_speakers = end.state != JobState::done && end.summary.turns.empty();
  if (has_no_speakers && job.request.options.diarize && job.segments > 0) {
    end.summary.warnings.emplace_back(no_speakers);
  }
  return end;
}

Error worn_out(int begins) {
  return {"too_many_attempts",
          fmt::format(
              "this was started {} times, and scribed stopped each time before it made progress",
              begins),
          "Look into the log, and submit it again."};
}

Error abandoned() {
  return {errc::cancelled, "scribed stopped while the client waited for the transcript", ""};
}

}  // namespace server
