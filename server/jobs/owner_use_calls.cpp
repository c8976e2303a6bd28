#include <limits>

#include "server/jobs/job_queue.h"
#include "server/jobs/on_store.h"

// What JobQueue tells of the use of an owner, and what it counts of live sessions.
namespace server {

asio::awaitable<Result<OwnerUse>> JobQueue::use_of(std::string owner) {
  const auto sessions = static_cast<int>(live_sessions_(owner));
  const auto work = [owner = std::move(owner), sessions](JobStore& store) {
    auto use = store.use_of(owner);
    if (use) use->open_jobs += sessions;
    return use;
  };
  co_return co_await on_store(work);
}

// The store's thread does its work in order. So of two sessions, or a session and a job, that begin
// at the same time the later one is checked with the earlier one counted.
asio::awaitable<Result<double>> JobQueue::check_live(std::string owner) {
  if (!limits_use_of(settings_.limits, owner)) co_return std::numeric_limits<double>::infinity();
  const auto work = [owner, limits = limits_for(owner)](JobStore& store) -> Result<double> {
    const auto use = store.use_of(owner);
    if (!use) return use.error();
    const auto fits = check_live_limits(*use, owner, limits);
    if (!fits) return fits.error();
    return sound_left(*use, owner, limits);
  };
  co_return co_await on_store(work);
}

asio::awaitable<Result<bool>> JobQueue::check_begin(std::string owner, std::int64_t job) {
  if (!limits_use_of(settings_.limits, owner)) co_return true;
  const auto work = [owner, job, limits = limits_for(owner)](JobStore& store) -> Result<bool> {
    const auto use = store.use_of(owner);
    return use ? server::check_begin(*use, owner, job, limits) : use.error();
  };
  co_return co_await on_store(work);
}

asio::awaitable<Result<double>> JobQueue::add_live_sound(std::string owner, double seconds) {
  const auto work = [owner, seconds,
                     limits = limits_for(owner)](JobStore& store) -> Result<double> {
    const auto added = store.add_sound(owner, seconds);
    if (!added) return added.error();
    const auto use = store.use_of(owner);
    if (!use) return use.error();
    return sound_left(*use, owner, limits);
  };
  co_return co_await on_store(work);
}

std::optional<std::int64_t> JobQueue::sound_limit_of(const std::string& owner) const {
  const auto found = settings_.limits.of_owner.find(owner);
  if (found == settings_.limits.of_owner.end()) return std::nullopt;
  return found->second.sound_seconds_per_day;
}

}  // namespace server
