#include "server/mcp/tools/job_start.h"

#include <utility>

#include "server/jobs/job_follower.h"
#include "server/mcp/tools/job_wait.h"

namespace server {

asio::awaitable<Result<Job>> run_job(ToolCall call, JobRequest request,
                                     std::chrono::milliseconds time) {
  JobQueue& jobs = call.services.jobs;
  request.owner = call.context.principal();
  request.decoder.max_seconds = call.settings.max_audio_seconds;
  request.detached = time.count() == 0;
  const auto submitted = co_await jobs.submit(std::move(request));
  if (!submitted) co_return submitted.error();
  if (time.count() == 0) co_return *submitted;
  const std::string id = submitted->id;
  CancelOnExit guard(jobs, id);
  auto job = co_await wait_for_job(jobs, id, call.context, time);
  if (!job) co_return job.error();
  if (!has_ended(job->state)) {
    const auto detached = co_await jobs.detach(id);
    if (!detached) co_return detached.error();
  }
  guard.release();
  co_return *std::move(job);
}

}  // namespace server
