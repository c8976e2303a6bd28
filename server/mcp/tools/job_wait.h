#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <string>

#include "server/jobs/job_queue.h"
#include "server/mcp/call_handler.h"

namespace server {

// The job when it has ended, or as it is after `time`. Tells the client how far it is meanwhile,
// by numbers that rise even while nothing happens: a client takes silence for a hung server.
// Errors: job_not_found (also of another owner), draining, and the store's.
asio::awaitable<Result<Job>> wait_for_job(JobQueue& queue, std::string id, CallContext& context,
                                          std::chrono::milliseconds time);

}  // namespace server
