#include "server/jobs/job_follower.h"

#include <fmt/format.h>

#include <utility>

namespace server {

using std::chrono::steady_clock;

JobFollower::JobFollower(JobQueue& queue, std::string id, std::string owner, int first_segment)
    : queue_(queue),
      watch_(queue, id),
      id_(std::move(id)),
      owner_(std::move(owner)),
      given_(first_segment) {}

asio::awaitable<Result<JobFollower::News>> JobFollower::next(steady_clock::time_point deadline) {
  if (!std::exchange(is_first_, false)) co_await watch_.changed(deadline);
  auto job = co_await queue_.find(id_, owner_);
  if (!job) co_return job.error();
  if (!*job) co_return job_not_found(id_);
  News news{.job = **std::move(job)};
  if (news.job.segments > given_) {
    auto segments = co_await queue_.segments(id_, given_, news.job.segments - given_);
    if (!segments) co_return segments.error();
    news.segments = *std::move(segments);
    given_ = news.job.segments;
  }
  co_return news;
}

asio::awaitable<Result<Job>> wait_for_end(JobQueue& queue, std::string id, std::string owner) {
  JobWatch watch(queue, id);
  while (true) {
    auto job = co_await queue.find(id, owner);
    if (!job) co_return job.error();
    if (!*job) co_return job_not_found(id);
    if (has_ended((*job)->state)) co_return **std::move(job);
    if (queue.is_draining() && (*job)->state == JobState::queued) {
      co_await queue.cancel(id);
      co_return Error{errc::draining, "scribed is about to end.", "Try again when it runs again."};
    }
    co_await watch.changed(steady_clock::time_point::max());
  }
}

Error job_not_found(const std::string& id) {
  return {errc::job_not_found, fmt::format("There is no job {}.", id),
          "Results are kept for a day unless configured otherwise."};
}

}  // namespace server
