#pragma once

#include <boost/asio/io_context.hpp>
#include <optional>
#include <string>

#include "server/jobs/job_queue.h"
#include "tests/server/run_coroutine.h"

namespace server::test {

// Returns the claim by which the job's run writes now.
inline Claim held(asio::io_context& io, JobQueue& jobs, const std::string& id) {
  return claim_of(run(io, jobs.find(id, std::nullopt)).value().value());
}

}  // namespace server::test
