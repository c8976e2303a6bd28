#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <vector>

#include "server/jobs/job_queue.h"

namespace server {

// Returns at most `limit` of the owner's jobs (of everybody's without one) that pass the filter and
// come after a place, the newest first. The store answers other calls in between, since it may take
// long. Errors: as of JobQueue::list().
asio::awaitable<Result<std::vector<Job>>> search_jobs(JobQueue& queue,
                                                      std::optional<std::string> owner,
                                                      JobFilter filter, int limit, JobPlace after);

}  // namespace server
