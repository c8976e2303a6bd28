#include "server/jobs/job_end.h"

#include <utility>

namespace server {
namespace {

constexpr char no_speakers[] =
    "The text names no speakers: the transcription ended before they were told apart.";

bool lacks_speakers(JobStore& store, const std::string& id, const JobEnd& end) {
  if (end.state == JobState::done || !end.summary.turns.empty()) return false;
  const auto job = store.find(id, std::nullopt);
  return job && *job && (*job)->request.options.diarize && (*job)->segments > 0;
}

}  // namespace

Result<std::optional<Job>> end_job(JobStore& store, const std::string& id, JobEnd end,
                                   const JobLimits& limits) {
  if (lacks_speakers(store, id, end)) end.summary.warnings.emplace_back(no_speakers);
  auto ended = store.finish(id, end);
  if (ended && *ended) count_sound_of(store, **ended, limits);
  return ended;
}

}  // namespace server
