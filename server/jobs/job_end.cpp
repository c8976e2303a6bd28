#include "server/jobs/job_end.h"

#include <fmt/format.h>

namespace server {
namespace {

constexpr char no_speakers[] =
    "The text names no speakers: the transcription ended before they were told apart.";

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
          fmt::format("this was begun {} times, and scribed ended again before it got any further",
                      begins),
          "Look into the log, and submit it again."};
}

Error abandoned() {
  return {errc::cancelled, "scribed ended while its client waited for the text", ""};
}

}  // namespace server
