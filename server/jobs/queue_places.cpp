#include "server/jobs/queue_places.h"

#include <algorithm>

namespace server {

void add_places(JobStore& store, std::span<Job> jobs) {
  const auto waits = [](const Job& job) { return job.state == JobState::queued; };
  const auto some = std::ranges::count_if(jobs, waits);
  if (some == 0) return;
  if (some == 1) {
    Job& job = *std::ranges::find_if(jobs, waits);
    if (const auto place = store.place(job.id)) job.progress.queue_place = *place;
    return;
  }
  // A database may have a million that wait, and counts up to a place.
  if (store.is_shared()) {
    for (Job& job : jobs) {
      if (!waits(job)) continue;
      if (const auto place = store.place(job.id)) job.progress.queue_place = *place;
    }
    return;
  }
  const auto order = store.waiting();
  if (!order) return;
  for (Job& job : jobs) {
    const auto place = std::ranges::find(*order, job.id);
    if (place == order->end()) continue;
    job.progress.queue_place = static_cast<int>(place - order->begin()) + 1;
  }
}

}  // namespace server
