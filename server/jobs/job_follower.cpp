#include "server/jobs/job_follower.h"

#include <algorithm>
#include <utility>

#include "server/jobs/job_errors.h"

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

asio::awaitable<Result<Job>> wait_for_end(JobQueue& queue, std::string id, std::string owner,
                                          JobWait wait) {
  JobWatch watch(queue, id);
  while (true) {
    auto job = co_await queue.find(id, owner);
    if (!job) co_return job.error();
    if (!*job) co_return job_not_found(id);
    const Job& now = **job;
    if (has_ended(now.state) || steady_clock::now() >= wait.deadline) co_return now;
    if (queue.is_draining() && now.state == JobState::queued) co_return draining();
    wait.looked(now);
    co_await watch.changed(std::min(wait.deadline, steady_clock::now() + wait.look_every));
  }
}

}  // namespace server
