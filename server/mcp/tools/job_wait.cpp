#include "server/mcp/tools/job_wait.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "server/jobs/job_follower.h"
#include "server/transcription/clock_text.h"

namespace server {
namespace {

using std::chrono::steady_clock;

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
  const auto deadline = steady_clock::now() + time;
  JobWatch watch(queue, id);
  double told = 0;
  while (true) {
    const auto job = co_await queue.find(id, context.principal());
    if (!job) co_return job.error();
    if (!*job) co_return job_not_found(id);
    const Job& now = **job;
    if (has_ended(now.state) || steady_clock::now() >= deadline) co_return now;
    if (queue.is_draining() && now.state == JobState::queued) {
      co_return Error{errc::draining, "scribed is about to end.", "Try again when it runs again."};
    }
    told = std::max(told + least_step, now.position);
    const auto total = now.duration > 0 ? std::optional(now.duration) : std::nullopt;
    context.progress({told, total, progress_text(now)});
    co_await watch.changed(std::min(deadline, steady_clock::now() + heartbeat));
  }
}

}  // namespace server
