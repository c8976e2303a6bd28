#include "server/mcp/tools/job_start.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>
#include <utility>

#include "server/jobs/job_follower.h"
#include "server/mcp/tools/job_wait.h"

namespace server {
namespace {

asio::awaitable<void> detach(JobQueue& jobs, std::string id) {
  co_await jobs.detach(std::move(id));
}

// The job of a call that is cancelled ends with it, unless what the call began is to go on.
class JobOfCall {
 public:
  JobOfCall(asio::any_io_executor executor, const ToolCall& call, const std::string& id)
      : executor_(std::move(executor)),
        jobs_(call.services.jobs),
        context_(call.context),
        id_(id),
        end_(jobs_, id) {}
  JobOfCall(const JobOfCall&) = delete;
  ~JobOfCall() {
    if (!context_.is_let_go()) return;
    release();
    asio::co_spawn(executor_, detach(jobs_, std::move(id_)), asio::detached);
  }
  void release() { end_.release(); }

 private:
  asio::any_io_executor executor_;
  JobQueue& jobs_;
  const CallContext& context_;
  std::string id_;
  CancelOnExit end_;
};

}  // namespace

asio::awaitable<Result<Job>> run_job(ToolCall call, JobRequest request,
                                     std::chrono::milliseconds time) {
  JobQueue& jobs = call.services.jobs;
  const auto executor = co_await asio::this_coro::executor;
  request.owner = call.context.principal();
  request.decoder.max_seconds = call.settings.max_audio_seconds;
  request.detached = time.count() == 0;
  const auto submitted = co_await jobs.submit(std::move(request));
  if (!submitted) co_return submitted.error();
  if (time.count() == 0) co_return *submitted;
  const std::string id = submitted->id;
  JobOfCall guard(executor, call, id);
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
