#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <set>
#include <utility>

#include "server/jobs/job_queue.h"
#include "server/jobs/on_store.h"

// How JobQueue learns what other processes do to shared jobs: they tell, and it looks as well.
namespace server {
namespace {

constexpr std::chrono::milliseconds first_look{125};

}  // namespace

std::chrono::milliseconds JobQueue::time_to_look(bool waited_for) const {
  if (hears_others()) return settings_.look_beside_news_every;
  return waited_for ? look_for_clients_interval : look_interval;
}

void JobQueue::tell_others_of_work(bool waited_for) {
  if (news_) news_->tell_work(waited_for);
}

void JobQueue::hear(const HeardNews& heard) {
  if (heard.work) wake_runner(false);
  if (heard.work_of_clients) wake_runner(true);
  for (const JobNotice& notice : heard.jobs) {
    const auto is_it = [&](const auto& run) { return run.second.id == notice.id; };
    // Whoever ended a job that runs here has taken it away.
    if (notice.kind >= JobNotice::Kind::ended && std::ranges::any_of(running_, is_it)) {
      has_lost_runs_ = true;
      follow_timer_.cancel();
    }
    tell_here(notice);
  }
}

// Whoever comes later does not put off a look that is due.
void JobQueue::look_soon() {
  if (!is_shared() || hears_others()) return;
  look_after_ = first_look;
  next_look_ = std::min(next_look_, Clock::now() + first_look);
  follow_timer_.cancel();
}

asio::awaitable<void> JobQueue::follow_others() {
  next_look_ = Clock::now() + look_after_;
  auto next_check = Clock::now() + settings_.check_runs_every;
  while (is_shared() && follows_) {
    follow_timer_.expires_at(std::min(next_look_, next_check));
    boost::system::error_code woken;
    auto wait = asio::redirect_error(asio::use_awaitable, woken);
    co_await follow_timer_.async_wait(std::move(wait));
    if (!follows_) break;
    if (std::exchange(has_lost_runs_, false) || Clock::now() >= next_check) {
      co_await stop_lost_runs();
      next_check = Clock::now() + settings_.check_runs_every;
    }
    if (Clock::now() < next_look_) continue;
    look_after_ = std::min(2 * look_after_, look_interval);
    next_look_ = Clock::now() + look_after_;
    co_await look_at_watched();
  }
}

void JobQueue::stop_following() {
  follows_ = false;
  follow_timer_.cancel();
}

// Jobs that run here are left out: their changes are told as they happen.
asio::awaitable<void> JobQueue::look_at_watched() {
  std::set<std::string> watched;
  for (const auto& [id, watch] : watches_) watched.insert(id);
  for (const auto& [number, run] : running_) watched.erase(run.id);
  std::erase_if(marks_, [&](const auto& mark) { return !watched.contains(mark.first); });
  if (watched.empty()) co_return;
  const auto work = [ids = std::vector<std::string>(watched.begin(), watched.end())](
                        JobStore& store) { return store.marks(ids); };
  auto marks = co_await on_store(work);
  if (!marks) co_return;
  for (const std::string& id : watched) {
    const std::string& now = (*marks)[id];  // a job that is no more has an empty one
    const auto [before, is_first] = marks_.emplace(id, now);
    if (!is_first && std::exchange(before->second, now) == now) continue;
    tell_here({.id = id});
  }
}

// A run would hear of it at its next write, which may be far when its model is loaded, or when
// speakers are told apart.
asio::awaitable<void> JobQueue::stop_lost_runs() {
  std::vector<Claim> claims;
  for (const auto& [number, run] : running_) claims.push_back({number, run.epoch});
  if (claims.empty()) co_return;
  const auto work = [claims = std::move(claims)](JobStore& store) {
    return store.lost_claims(claims);
  };
  const auto lost = co_await on_store(work);
  if (!lost) co_return;
  for (const Claim& claim : *lost) {
    if (running(claim) == nullptr) continue;
    const auto run = running_.extract(claim.number).mapped();
    run.stop();
    note_place_of(run);
  }
}

}  // namespace server
