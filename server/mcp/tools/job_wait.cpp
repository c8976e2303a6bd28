#include "server/mcp/tools/job_wait.h"

#include <algorithm>
#include <utility>

#include "server/jobs/job_follower.h"

namespace server {
namespace {

constexpr std::chrono::seconds heartbeat{5};
// Above the last number where the position has not moved: so little that all of an hour's
// heartbeats together tell of no sound that is not decided.
constexpr double least_step = 1e-6;

}  // namespace

asio::awaitable<Result<Job>> wait_for_job(JobQueue& queue, std::string id, CallContext& context,
                                          std::chrono::milliseconds time) {
  JobWait wait{.deadline = std::chrono::steady_clock::now() + time, .look_every = heartbeat};
  wait.looked = [&context, told = -least_step](const Job& now) mutable {
    const TranscriptionProgress& progress = now.progress;
    const auto total = progress.duration > 0 ? std::optional(progress.duration) : std::nullopt;
    const double next = std::max(told + least_step, progress.position);
    if (total && next > *total) return;  // all is decided, and nothing more can be told
    told = next;
    context.progress({told, total, progress_text(progress)});
  };
  return wait_for_end(queue, std::move(id), context.principal(), std::move(wait));
}

}  // namespace server
