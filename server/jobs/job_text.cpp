#include "server/jobs/job_text.h"

#include <algorithm>
#include <utility>

#include "server/jobs/job_store.h"
#include "server/jobs/queue_places.h"

namespace server {

Result<std::optional<JobText>> find_text(JobStore& store, const std::string& id,
                                         const std::optional<std::string>& owner,
                                         const std::function<int(const Job&)>& first, int most) {
  auto job = store.find(id, owner);
  if (!job) return job.error();
  if (!*job) return std::optional<JobText>();
  add_places(store, {&**job, 1});
  const int begin = first(**job);
  auto segments = store.segments(id, begin, std::clamp((*job)->segments - begin, 0, most));
  if (!segments) return segments.error();
  return std::optional(JobText{**std::move(job), *std::move(segments)});
}

}  // namespace server
