#include "server/submission/followed_job.h"

#include <algorithm>
#include <utility>

namespace server {

using std::chrono::steady_clock;

namespace {

// Returns whether the job's segments are named and cut by its speakers.
bool has_speakers(const Job& job) {
  return has_ended(job.state) && !job.summary.turns.empty();
}

}  // namespace

FollowedJob::FollowedJob(JobQueue& queue, std::string id, std::string owner)
    : queue_(&queue), queue_life_(queue.life()), watch_(std::make_unique<JobWatch>(queue, id)) {
  job_.id = std::move(id);
  job_.request.owner = std::move(owner);
}

FollowedJob::FollowedJob(JobQueue& queue, Job job, Follow follow, std::function<bool()> is_let_go)
    : queue_(&queue),
      queue_life_(queue.life()),
      job_(std::move(job)),
      watch_(std::make_unique<JobWatch>(queue, job_.id)),
      follow_(follow),
      is_let_go_(std::move(is_let_go)) {}

FollowedJob::FollowedJob(FollowedJob&& other) noexcept
    : queue_(std::exchange(other.queue_, nullptr)),
      queue_life_(std::move(other.queue_life_)),
      job_(std::move(other.job_)),
      watch_(std::move(other.watch_)),
      follow_(other.follow_),
      is_let_go_(std::move(other.is_let_go_)),
      given_(other.given_),
      is_first_(other.is_first_) {}

// The queue cancels the job, since this coroutine may itself be being cancelled.
FollowedJob::~FollowedJob() {
  if (queue_ == nullptr || queue_life_.expired() || follow_ == Follow::nobody) return;
  if (follow_ == Follow::to_the_end) {
    queue_->remove_later(job_.id);
  } else if (is_let_go_()) {
    queue_->detach_later(job_.id);
  } else {
    queue_->cancel_later(job_.id);
  }
}

asio::awaitable<Result<Job>> FollowedJob::look() const {
  auto job = co_await queue_->find(job_.id, job_.request.owner);
  if (!job) co_return job.error();
  if (!*job) co_return job_not_found(job_.id);
  co_return **std::move(job);
}

asio::awaitable<Result<FollowedJob::News>> FollowedJob::next(steady_clock::time_point deadline) {
  if (!std::exchange(is_first_, false)) co_await watch_->changed(deadline);
  auto looking = queue_->find_text(job_.id, job_.request.owner, [given = given_](const Job& job) {
    return has_speakers(job) ? 0 : given;
  });
  auto found = co_await std::move(looking);
  if (!found) co_return found.error();
  if (!*found) co_return job_not_found(job_.id);
  JobText& text = **found;
  const bool begins_anew = has_speakers(text.job) && given_ > 0;
  given_ = text.job.segments;
  co_return News{std::move(text.job), std::move(text.segments), begins_anew};
}

asio::awaitable<Result<Job>> FollowedJob::ended(JobWait wait) {
  while (true) {
    auto job = co_await look();
    if (!job || has_ended(job->state)) co_return job;
    if (const auto never = problem_of(*job)) co_return *never;
    wait.looked(*job);
    if (steady_clock::now() >= wait.deadline) co_return job;
    co_await watch_->changed(std::min(wait.deadline, steady_clock::now() + wait.look_every));
  }
}

std::optional<Error> FollowedJob::problem_of(const Job& job) const {
  if (job.state == JobState::queued && queue_->is_draining()) return draining();
  if (!has_ended(job.state) || job.state == JobState::done) return std::nullopt;
  if (job.error) return job.error;
  return Error{errc::cancelled, "The transcription was cancelled.", ""};
}

asio::awaitable<Result<ReadTranscript>> FollowedJob::transcript(Job job) const {
  return queue_->transcript(std::move(job));
}

asio::awaitable<Result<void>> FollowedJob::keep() {
  auto kept = co_await queue_->detach(job_.id);
  if (kept) follow_ = Follow::nobody;
  co_return kept;
}

}  // namespace server
