#include "server/jobs/job_queue.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "server/jobs/job_json.h"
#include "server/jobs/job_watch.h"
#include "server/jobs/on_store.h"
#include "server/jobs/queue_places.h"
#include "server/jobs/turn_rules.h"

namespace server {

void remove_file(const std::string& file) {
  ::unlink(file.c_str());
}

namespace {

constexpr std::size_t long_threads = 3;
constexpr int most_long_calls = 1000;  // that wait for a thread: at most one of each owner

}  // namespace

JobQueue::JobQueue(asio::any_io_executor executor, std::unique_ptr<JobStore> store,
                   Settings settings)
    : executor_(std::move(executor)),
      store_(std::move(store)),
      settings_(std::move(settings)),
      run_writes_(executor_,
                  [this](std::vector<RunWrite> writes) { return write_runs(std::move(writes)); }),
      follow_timer_(executor_) {
  long_calls_.emplace(long_threads, most_long_calls);
  if (const auto waiting = store_->count_waiting()) waiting_ = *waiting;
  note_stored(*store_);
  news_ = store_->open_news([this, life = life()](HeardNews heard) {
    asio::post(executor_, [this, life, heard = std::move(heard)] {
      if (!life.expired()) hear(heard);
    });
  });
}

JobQueue::~JobQueue() {
  news_.reset();
  long_calls_.reset();
  store_thread_.join();
}

asio::awaitable<Result<void>> JobQueue::check(std::string owner, std::string idempotency_key) {
  const auto work = [owner, key = std::move(idempotency_key), limits = limits_for(owner)](
                        JobStore& store) { return store.check(owner, key, limits); };
  co_return co_await on_store(work);
}

asio::awaitable<Result<Job>> JobQueue::submit(JobRequest request) {
  auto limits = limits_for(request);
  const auto work = [request = std::move(request), settings = settings_,
                     limits = std::move(limits)](JobStore& store) {
    auto job = store.submit(request, limits);
    // Nobody else knows of this file: it is of no use if the job has another one, or if there is no
    // job. A database whose answer was lost may have the job.
    const bool is_used =
        job ? job->request.input == request.input : job.error().code == errc::answer_lost;
    if (!is_used && request.input_is_ours) settings.remove_input(request.input);
    if (job) add_places(store, {&*job, 1});
    return job;
  };
  auto job = co_await on_store(work);
  if (!job) co_return job;
  add_progress(*job);
  tell(*job, JobNotice::Kind::created);
  if (job->request.live) {
    running_[job->number] = {.id = job->id, .owner = job->request.owner, .epoch = job->epoch};
  }
  if (job->state == JobState::queued) {
    wake_runner(!job->request.detached);
    const bool is_for_others = job->request.detached || job->client_is_elsewhere;
    if (is_for_others) tell_others_of_work(!job->request.detached);
  }
  co_return job;
}

asio::awaitable<Result<std::optional<Job>>> JobQueue::find(std::string id,
                                                           std::optional<std::string> owner) {
  const auto work = [id = std::move(id), owner = std::move(owner)](JobStore& store) {
    auto job = store.find(id, owner);
    if (job && *job) add_places(store, {&**job, 1});
    return job;
  };
  auto job = co_await on_store(work);
  if (job && *job) add_progress(**job);
  co_return job;
}

asio::awaitable<Result<std::vector<Job>>> JobQueue::list(std::optional<std::string> owner,
                                                         int limit, std::string before) {
  const auto work = [owner = std::move(owner), limit, before = std::move(before)](JobStore& store) {
    auto jobs = store.list(owner, limit, before);
    if (jobs) add_places(store, *jobs);
    return jobs;
  };
  auto jobs = co_await on_store(work);
  if (!jobs) co_return jobs;
  for (Job& job : *jobs) add_progress(job);
  co_return jobs;
}

asio::awaitable<Result<JobSlice>> JobQueue::slice(std::optional<std::string> owner,
                                                  JobFilter filter, JobPlace behind, int size) {
  const auto work = [=](JobStore& store) {
    auto slice = store.slice(owner, filter, behind, size);
    if (slice) add_places(store, slice->jobs);
    if (slice && slice->unread) add_places(store, {&*slice->unread, 1});
    return slice;
  };
  auto slice = co_await on_store(work);
  if (!slice) co_return slice;
  for (Job& job : slice->jobs) add_progress(job);
  if (slice->unread) add_progress(*slice->unread);
  co_return slice;
}

asio::awaitable<Result<bool>> JobQueue::cancel(std::string id, std::optional<std::string> owner) {
  const auto work = [id = std::move(id), owner = std::move(owner),
                     settings = settings_](JobStore& store) {
    auto ended = store.cancel(id, owner);
    if (ended && *ended) clean_up(store, **ended, settings);
    return ended;
  };
  auto ended = co_await on_store(work);
  if (!ended) co_return ended.error();
  if (!*ended) co_return false;
  if (const auto node = running_.extract((*ended)->number); !node.empty()) {
    node.mapped().stop();
    note_place_of(node.mapped());
  }
  tell_end(**std::move(ended));
  co_return true;
}

void JobQueue::cancel_later(std::string id) {
  asio::co_spawn(executor_, cancel(std::move(id)), asio::detached);
}

void JobQueue::remove_later(std::string id) {
  asio::co_spawn(executor_, remove(std::move(id)), asio::detached);
}

void JobQueue::detach_later(std::string id) {
  asio::co_spawn(executor_, detach(std::move(id)), asio::detached);
}

asio::awaitable<Result<void>> JobQueue::detach(std::string id) {
  const auto work = [id = std::move(id)](JobStore& store) { return store.detach(id); };
  auto detached = co_await on_store(work);
  wake_runner(false);  // a job that has not begun now belongs to those runners
  tell_others_of_work(false);
  wake_runner(true);  // if it has begun, its owner may have another one begun
  co_return detached;
}

asio::awaitable<Result<void>> JobQueue::remove(std::string id) {
  const auto cancelled = co_await cancel(id);
  if (!cancelled) co_return cancelled.error();
  const auto work = [id = std::move(id),
                     settings = settings_](JobStore& store) -> Result<std::optional<Job>> {
    auto job = store.find(id, std::nullopt);
    const auto removed = store.remove(id);
    if (!removed) return removed.error();
    settings.remove_sound(id);
    return job;
  };
  const auto job = co_await on_store(work);
  if (!job) co_return job.error();
  tidy_up_later();
  if (*job) tell(**job, JobNotice::Kind::removed);
  co_return Result<void>();
}

asio::awaitable<Result<std::map<std::string, double>>> JobQueue::sound_to_do() {
  const auto work = [](JobStore& store) { return store.sound_to_do(); };
  co_return co_await on_store(work);
}

void JobQueue::set_shares(RunningShares shares) {
  settings_.shares = shares;
  wake_runners();  // some jobs may be begun now
}

JobLimits JobQueue::limits_for(const std::string& owner) const {
  JobLimits limits = settings_.limits;
  limits.is_draining = draining_;
  limits.live_sessions = static_cast<int>(live_sessions_(owner));
  return limits;
}

// A job whose client waits is in memory.
JobLimits JobQueue::limits_for(const JobRequest& request) const {
  JobLimits limits = limits_for(request.owner);
  if (!request.detached) return limits;
  const auto room = settings_.check_stored(request.owner, stored_bytes_of(request));
  if (!room) limits.no_room = room.error();
  return limits;
}

void JobQueue::drain() {
  draining_ = true;
  wake_runners();
  for (const auto& [id, watch] : watches_) watch->tell();
}

void JobQueue::add_progress(Job& job) const {
  // The files need not be asked where all daemons can read the whole of it.
  if (!job.sound || !job.sound->is_whole) job.sound = settings_.find_sound(job.id);
  const auto it = running_.find(job.number);
  if (job.state == JobState::running && it != running_.end() && it->second.progress) {
    job.progress = *it->second.progress;
    return;
  }
  const auto place = job.progress.queue_place;
  job.progress = stored_progress(job);
  job.progress.queue_place = place;
}

}  // namespace server
