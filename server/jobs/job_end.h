#pragma once

#include <optional>
#include <string>

#include "server/jobs/job_store.h"

namespace server {

// Ends a job as JobStore::finish() does, and counts its sound. A job that was to tell speakers
// apart and ended before keeps its text, and warns that nobody is named in it. It runs on the
// store's thread.
Result<std::optional<Job>> end_job(JobStore& store, const std::string& id, JobEnd end,
                                   const JobLimits& limits);

}  // namespace server
