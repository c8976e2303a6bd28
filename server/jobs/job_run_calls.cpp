#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "server/jobs/job_queue.h"
#include "server/jobs/on_store.h"
#include "server/jobs/turn_rules.h"

// The calls of JobQueue for runners: they take the next job, and write it until its end.
namespace server {

asio::awaitable<Result<Job>> JobQueue::claim(bool waited_for, bool is_spare) {
  while (!draining_) {
    const std::uint64_t seen = wakes_;
    const int share = waited_for ? settings_.shares.most_waited_for : settings_.shares.most;
    const ClaimRequest request{.waited_for = waited_for,
                               .most_of_one = is_spare ? 1 : share,
                               .loaded_models = loaded_models_()};
    const auto work = [request](JobStore& store) { return store.claim(request); };
    auto job = co_await on_store(work);
    if (!job) co_return job.error();
    if (*job) {
      running_[(*job)->number] = {.id = (*job)->id,
                                  .owner = (*job)->request.owner,
                                  .epoch = (*job)->epoch,
                                  .waited_for = waited_for};
      tell(**job, JobNotice::Kind::changed);
      if (has_unheard_jobs()) wake_runner(waited_for);  // there may be more, and one runner looks
      co_return **std::move(job);
    }
    if (wakes_ != seen) continue;  // a job came after the store was asked
    const bool looks = has_to_look(waited_for, is_spare);
    asio::steady_timer timer(executor_, looks ? Clock::now() + time_to_look(waited_for)
                                              : asio::steady_timer::time_point::max());
    // Spare ones are woken where no other is idle.
    const auto place = is_spare ? idle_runners_.end() : idle_runners_.begin();
    idle_runners_.insert(place, {&timer, waited_for, looks, is_spare});
    boost::system::error_code woken;
    auto wait = asio::redirect_error(asio::use_awaitable, woken);
    co_await timer.async_wait(std::move(wait));
    std::erase_if(idle_runners_, [&](const IdleRunner& idle) { return idle.timer == &timer; });
  }
  co_return draining();
}

// Jobs that other daemons add or put back may be told or not, and nothing tells that a job has
// waited for long enough. One idle runner of each kind is enough, but a spare one does not begin
// all that others would.
bool JobQueue::has_to_look(bool waited_for, bool is_spare) const {
  const auto does = [=](const auto& idle) {
    return idle.looks && idle.waited_for == waited_for && (is_spare || !idle.is_spare);
  };
  return has_unheard_jobs() && std::ranges::none_of(idle_runners_, does);
}

bool JobQueue::has_unheard_jobs() const {
  return is_shared() || Clock::now() < looks_until_;
}

void JobQueue::wake_runner(bool waited_for) {
  ++wakes_;
  const auto idle = std::ranges::find(idle_runners_, waited_for, &IdleRunner::waited_for);
  if (idle == idle_runners_.end()) return;
  idle->timer->cancel();
  idle_runners_.erase(idle);  // the next job wakes another one
}

void JobQueue::wake_spare_runner(bool waited_for) {
  ++wakes_;
  const auto idle = std::ranges::find_if(idle_runners_, [=](const IdleRunner& one) {
    return one.is_spare && one.waited_for == waited_for;
  });
  if (idle == idle_runners_.end()) return;
  idle->timer->cancel();
  idle_runners_.erase(idle);
}

void JobQueue::wake_runners() {
  ++wakes_;
  for (const IdleRunner& idle : idle_runners_) idle.timer->cancel();
}

JobQueue::Running* JobQueue::running(const Claim& claim) {
  const auto it = running_.find(claim.number);
  return it == running_.end() || it->second.epoch != claim.epoch ? nullptr : &it->second;
}

bool JobQueue::on_cancel(const Claim& claim, std::function<void()> stop) {
  Running* run = running(claim);
  if (run == nullptr) return false;
  run->stop = std::move(stop);
  return true;
}

void JobQueue::leave(const Claim& claim) {
  if (running(claim) == nullptr) return;
  note_place_of(running_.extract(claim.number).mapped());
}

void JobQueue::note_place_of(const Running& ended) {
  if (ended.waited_for) wake_runner(false);
  // Its runner takes the next job of the line. A spare one takes one of this owner.
  const auto is_same = [&](const auto& run) {
    return run.second.owner == ended.owner && run.second.waited_for == ended.waited_for;
  };
  if (std::ranges::any_of(running_, is_same)) return;
  wake_spare_runner(ended.waited_for);
  if (ended.waited_for) wake_spare_runner(false);
}

asio::awaitable<std::vector<Result<void>>> JobQueue::write_runs(std::vector<RunWrite> writes) {
  const auto work = [writes = std::move(writes)](JobStore& store) {
    return write_together(store, writes);
  };
  auto answers = co_await on_store(work);
  const bool was_away = std::ranges::any_of(
      answers, [](const Result<void>& answer) { return !answer && is_away(answer.error()); });
  if (was_away) note_answer(false);
  co_return answers;
}

asio::awaitable<Result<void>> JobQueue::add_segments(Claim claim,
                                                     std::vector<protocol::Segment> some) {
  RunWrite write{.claim = claim, .segments = std::move(some)};
  auto writing = run_writes_.write(std::move(write));
  const auto added = co_await std::move(writing);
  if (const Running* run = running(claim)) tell(run->change());
  co_return added;
}

asio::awaitable<Result<void>> JobQueue::set_progress(Claim claim, TranscriptionProgress progress,
                                                     std::string language) {
  RunWrite write{.claim = claim};
  write.progress = {progress.position, progress.duration, std::move(language)};
  auto writing = run_writes_.write(std::move(write));
  const auto set = co_await std::move(writing);
  Running* run = running(claim);
  if (run == nullptr) co_return set;
  if (set) run->progress = progress;
  tell(run->change());
  co_return set;
}

asio::awaitable<Result<void>> JobQueue::finish(Claim claim, JobEnd end) {
  const auto work = [claim, end = std::move(end), settings = settings_](JobStore& store) {
    auto ended = store.finish(claim, end);
    if (ended) clean_up(store, *ended, settings);
    return ended;
  };
  auto ended = co_await on_store(work);
  if (!ended) co_return ended.error();
  leave(claim);
  tell_end(*std::move(ended));
  co_return Result<void>();
}

void JobQueue::clean_up(JobStore& store, const Job& ended, const Settings& settings) {
  count_sound_of(store, ended, settings.limits);
  // Here, since it takes a while for a large file.
  if (ended.request.input_is_ours) settings.remove_input(ended.request.input);
}

asio::awaitable<Result<void>> JobQueue::requeue(Claim claim, bool counts) {
  const auto work = [claim, counts](JobStore& store) { return store.requeue(claim, counts); };
  auto done = co_await on_store(work);
  const Running* run = running(claim);
  const JobNotice notice = run == nullptr ? JobNotice() : run->change();
  if (counts) looks_until_ = Clock::now() + std::chrono::seconds(longest_wait_s) + look_interval;
  if (done) leave(claim);
  if (!notice.id.empty()) tell(notice);
  wake_runners();
  tell_others_of_work(true);
  tell_others_of_work(false);
  co_return done;
}

}  // namespace server
