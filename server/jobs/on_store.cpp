#include "server/jobs/on_store.h"

// How JobQueue looks after its store: whether that answers.
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

}  // namespace server
