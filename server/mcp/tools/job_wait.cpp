#include "server/mcp/tools/job_wait.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "server/jobs/job_follower.h"
#include "server/transcription/clock_text.h"

namespace server {
namespace {

constexpr std::chrono::seconds heartbeat{5};
constexpr double least_step = 0.001;

}  // namespace

std::string progress_text(const Job& job) {
  if (job.state == JobState::queued) return "waiting for other transcriptions";
  if (job.duration <= 0) return clock_text(job.position) + " are transcribed";
  return fmt::format("{} of {} are transcribed", clock_text(job.position),
                     clock_text(job.duration));
}

asio::awaitable<Result<Job>> wait_for_job(JobQueue& queue, std::string id, CallContext& context,
                                          std::chrono::milliseconds time) {
  JobWait wait{.deadline = std::chrono::steady_clock::now() + time, .look_every = heartbeat};
  wait.looked = [&context, told = 0.0](const Job& now) mutable {
    told = std::max(told + least_step, now.position);
    const auto total = now.duration > 0 ? std::optional(now.duration) : std::nullopt;
    context.progress({told, total, progress_text(now)});
  };
  return wait_for_end(queue, std::move(id), context.principal(), std::move(wait));
}

}  // namespace server
