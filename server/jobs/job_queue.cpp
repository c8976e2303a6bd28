#include "server/jobs/job_queue.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "server/jobs/job_end.h"
#include "server/jobs/on_store.h"
#include "server/jobs/queue_places.h"

namespace server {

void remove_file(const std::string& file) {
  ::unlink(file.c_str());
}

JobQueue::JobQueue(asio::any_io_executor executor, std::unique_ptr<JobStore> store,
                   Settings settings)
    : executor_(std::move(executor)), store_(std::move(store)), settings_(std::move(settings)) {
  if (const auto waiting = store_->count_waiting({})) waiting_ = *waiting;
}

JobQueue::~JobQueue() {
  store_thread_.join();
}

asio::awaitable<Result<void>> JobQueue::check(std::string owner, std::string idempotency_key) {
  const auto work = [owner = std::move(owner), key = std::move(idempotency_key),
                     limits = settings_.limits, is_draining = draining_](JobStore& store) {
    return check_limits(store, owner, key, limits, is_draining);
  };
  co_return co_await on_store(work);
}

asio::awaitable<Result<Job>> JobQueue::submit(JobRequest request) {
  const auto work = [request = std::move(request), settings = settings_,
                     is_draining = draining_](JobStore& store) {
    auto job = add_within(store, request, settings.limits, is_draining);
    // Nobody else knows of this file: it is of no use if the job has another one, or if there is no
    // job.
    const bool is_used = job && job->request.input == request.input;
    if (!is_used && request.input_is_ours) settings.remove_input(request.input);
    if (job) add_places(store, {&*job, 1});
    return job;
  };
  auto job = co_await on_store(work);
  if (!job) co_return job;
  add_progress(*job);
  tell(*job, JobNotice::Kind::created);
  if (job->request.live) running_[job->id] = {};
  if (job->state == JobState::queued) wake_runner(!job->request.detached);
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
    return slice;
  };
  auto slice = co_await on_store(work);
  if (!slice) co_return slice;
  for (Job& job : slice->jobs) add_progress(job);
  co_return slice;
}

asio::awaitable<Result<bool>> JobQueue::cancel(std::string id) {
  JobEnd end{.state = JobState::cancelled};
  auto was_open = co_await finish(id, std::move(end));
  co_return was_open;
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
  wake_runner(true);   // if it has begun, its owner may have another one begun
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
  if (*job) tell(**job, JobNotice::Kind::removed);
  co_return Result<void>();
}

asio::awaitable<Result<Job>> JobQueue::take(bool waited_for) {
  while (!draining_) {
    const std::uint64_t seen = wakes_;
    const auto work = [waited_for](JobStore& store) { return store.take(waited_for); };
    auto job = co_await on_store(work);
    if (!job) co_return job.error();
    if (*job) {
      running_[(*job)->id] = {};
      tell((*job)->id);
      co_return **std::move(job);
    }
    if (wakes_ != seen) continue;  // a job came after the store was asked
    asio::steady_timer timer(executor_, asio::steady_timer::time_point::max());
    idle_runners_.push_back({&timer, waited_for});
    boost::system::error_code woken;
    auto wait = asio::redirect_error(asio::use_awaitable, woken);
    co_await timer.async_wait(std::move(wait));
    std::erase_if(idle_runners_, [&](const IdleRunner& idle) { return idle.timer == &timer; });
  }
  co_return draining();
}

void JobQueue::wake_runner(bool waited_for) {
  ++wakes_;
  const auto idle = std::ranges::find(idle_runners_, waited_for, &IdleRunner::waited_for);
  if (idle == idle_runners_.end()) return;
  idle->timer->cancel();
  idle_runners_.erase(idle);  // the next job wakes another one
}

void JobQueue::wake_runners() {
  ++wakes_;
  for (const IdleRunner& idle : idle_runners_) idle.timer->cancel();
}

bool JobQueue::on_cancel(const std::string& id, std::function<void()> stop) {
  const auto it = running_.find(id);
  if (it == running_.end()) return false;
  it->second.stop = std::move(stop);
  return true;
}

void JobQueue::leave(const std::string& id) {
  running_.erase(id);
}

asio::awaitable<Result<void>> JobQueue::add_segments(std::string id,
                                                     std::vector<protocol::Segment> some) {
  const auto work = [id, some = std::move(some)](JobStore& store) {
    return store.add_segments(id, some);
  };
  auto added = co_await on_store(work);
  tell(id);
  co_return added;
}

asio::awaitable<Result<void>> JobQueue::set_progress(std::string id, TranscriptionProgress progress,
                                                     std::string language) {
  const auto work = [id, position = progress.position, duration = progress.duration,
                     language = std::move(language)](JobStore& store) {
    return store.set_progress(id, position, duration, language);
  };
  auto set = co_await on_store(work);
  const auto it = running_.find(id);
  if (set && it != running_.end()) it->second.progress = progress;
  tell(id);
  co_return set;
}

asio::awaitable<Result<bool>> JobQueue::finish(std::string id, JobEnd end) {
  const auto work = [id, end = std::move(end), settings = settings_](JobStore& store) {
    auto ended = end_job(store, id, end, settings.limits);
    const bool has_input = ended && *ended && (*ended)->request.input_is_ours;
    if (has_input)
      settings.remove_input((*ended)->request.input);  // here, since a large file takes a while
    return ended;
  };
  auto ended = co_await on_store(work);
  if (!ended) co_return ended.error();
  // The job's runner has to stop, unless it is the one that ends the job.
  if (const auto node = running_.extract(id); !node.empty()) node.mapped().stop();
  if (!*ended) co_return false;
  add_progress(**ended);
  tell(**ended, JobNotice::Kind::ended);
  on_end_(**ended);
  co_return true;
}

asio::awaitable<Result<void>> JobQueue::requeue(std::string id, bool counts) {
  const auto work = [id, counts](JobStore& store) { return store.requeue(id, counts); };
  auto done = co_await on_store(work);
  if (done) running_.erase(id);
  tell(id);
  wake_runners();
  co_return done;
}

asio::awaitable<Result<StoreCopy>> JobQueue::copy(std::filesystem::path file,
                                                  std::filesystem::path inputs) {
  const auto work = [file = std::move(file), inputs = std::move(inputs)](JobStore& store) {
    return copy_store(store, file, inputs);
  };
  co_return co_await on_store(work);
}

asio::awaitable<Result<OwnerUse>> JobQueue::use_of(std::string owner) {
  const auto work = [owner = std::move(owner)](JobStore& store) { return store.use_of(owner); };
  co_return co_await on_store(work);
}

asio::awaitable<Result<void>> JobQueue::set_most_running(int most, int most_waited_for) {
  const auto work = [most, most_waited_for](JobStore& store) -> Result<void> {
    store.set_most_running(most, most_waited_for);
    return {};
  };
  auto set = co_await on_store(work);
  wake_runners();  // some jobs may be begun now
  co_return set;
}

void JobQueue::drain() {
  draining_ = true;
  wake_runners();
  for (const auto& [id, watch] : watches_) watch->tell();
}

asio::awaitable<Result<int>> JobQueue::remove_expired() {
  const auto work = [](JobStore& store) { return store.remove_expired(); };
  co_return co_await on_store(work);
}

asio::awaitable<Result<void>> JobQueue::remove_sounds_without_job(std::vector<std::string> ids) {
  const auto work = [ids = std::move(ids), settings = settings_](JobStore& store) -> Result<void> {
    for (const auto& id : ids) {
      const auto job = store.find(id, std::nullopt);
      if (!job) return job.error();
      if (!*job) settings.remove_sound(id);
    }
    return {};
  };
  co_return co_await on_store(work);
}

asio::awaitable<Result<std::vector<Job>>> JobQueue::undelivered() {
  const auto work = [](JobStore& store) { return store.undelivered(); };
  auto jobs = co_await on_store(work);
  if (!jobs) co_return jobs;
  for (Job& job : *jobs) add_progress(job);
  co_return jobs;
}

asio::awaitable<Result<void>> JobQueue::set_delivered(std::string id) {
  const auto work = [id = std::move(id)](JobStore& store) { return store.set_delivered(id); };
  co_return co_await on_store(work);
}

void JobQueue::add_progress(Job& job) const {
  job.sound = settings_.find_sound(job.id);
  const auto it = running_.find(job.id);
  if (job.state == JobState::running && it != running_.end() && it->second.progress) {
    job.progress = *it->second.progress;
    return;
  }
  const auto place = job.progress.queue_place;
  job.progress = stored_progress(job);
  job.progress.queue_place = place;
}

}  // namespace server
