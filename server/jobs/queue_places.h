#pragma once

#include <span>

#include "server/jobs/job.h"
#include "server/jobs/job_store.h"

namespace server {

// Fills in `progress.queue_place` of those of `jobs` that wait: their places among all that wait,
// counted from 1. If the store fails, they stay empty. It must be called on the store's thread.
void add_places(JobStore& store, std::span<Job> jobs);

}  // namespace server
