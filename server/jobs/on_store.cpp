#include "server/jobs/on_store.h"

#include <utility>

// How JobQueue looks after its store: whether that answers, and what is removed from time to time.
namespace server {

// A count is a transaction of its own in a database elsewhere.
bool JobQueue::has_to_count() {
  if (!store_->is_shared()) return true;
  const auto now = Clock::now();
  if (now < next_count_) return false;
  next_count_ = now + look_interval;
  return true;
}

// A database can hang in ways that its client notices late.
bool JobQueue::store_answers() const {
  const auto began = call_began_.load();
  const bool is_late =
      began != Clock::time_point() && Clock::now() - began > settings_.longest_call;
  return store_answers_ && !(is_late && store_->is_shared());
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

}  // namespace server
