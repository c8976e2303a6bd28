#pragma once

#include <string>

#include "server/jobs/job_queue.h"
#include "server/mcp/tools/tool.h"

namespace server {

// Submits the job and waits for it as long as the call may. Where it has not ended then it goes on
// by itself: the Job says so. Cancelling the call before cancels the job.
asio::awaitable<Result<Job>> run_job(ToolCall call, JobRequest request,
                                     std::chrono::milliseconds time);

}  // namespace server
