#include "engine/whisper/runner/pass_queue.h"

#include <algorithm>

namespace engine {

std::optional<PassQueue::Place> PassQueue::enter(bool ends_turn, const std::stop_token& stop) {
  const Waiting self{ends_turn};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&self);
  const bool entered = news_.wait(lock, stop, [&] { return free_ > 0 && is_next(self); });
  std::erase(waiting_, &self);
  if (entered) --free_;
  lock.unlock();
  // Who is next now may be another one.
  news_.notify_all();
  if (!entered) return std::nullopt;
  return Place(*this);
}

std::size_t PassQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_.size();
}

void PassQueue::leave() {
  {
    const std::lock_guard lock(mutex_);
    ++free_;
  }
  news_.notify_all();
}

bool PassQueue::is_next(const Waiting& waiting) const {
  const auto ending = std::ranges::find(waiting_, true, &Waiting::ends_turn);
  return &waiting == (ending == waiting_.end() ? waiting_.front() : *ending);
}

}  // namespace engine
