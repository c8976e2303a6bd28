#include "server/jobs/queue_places.h"

#include <algorithm>

namespace server {

void add_places(JobStore& store, std::span<Job> jobs) {
  const bool some_wait =
      std::ranges::any_of(jobs, [](const Job& job) { return job.state == JobState::queued; });
  if (!some_wait) return;
  const auto order = store.waiting();
  if (!order) return;
  for (Job& job : jobs) {
    const auto place = std::ranges::find(*order, job.id);
    if (place == order->end()) continue;
    job.progress.queue_place = static_cast<int>(place - order->begin()) + 1;
  }
}

}  // namespace server
