#include "engine/whisper/runner/pass_queue.h"

#include <algorithm>
#include <tuple>

namespace engine {

std::optional<PassQueue::Place> PassQueue::enter(std::uint64_t owner, bool ends_turn,
                                                 const std::stop_token& stop) {
  const Waiting self{owner, ends_turn};
  std::unique_lock lock(mutex_);
  if (waiting_.empty() && free_ == places_) turns_.clear();
  waiting_.push_back(&self);
  const bool entered = news_.wait(lock, stop, [&] { return free_ > 0 && is_next(self); });
  std::erase(waiting_, &self);
  if (entered) {
    --free_;
    turns_[owner] = ++entered_;
    last_owner_ = owner;
  }
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

// The first of those with the least rank, as they came, is next.
bool PassQueue::is_next(const Waiting& waiting) const {
  const auto rank = [this](const Waiting* one) {
    const auto turn = turns_.find(one->owner);
    const bool passes_others = one->ends_turn && one->owner != last_owner_;
    return std::tuple(!passes_others, turn == turns_.end() ? 0 : turn->second, !one->ends_turn);
  };
  return &waiting == *std::ranges::min_element(waiting_, {}, rank);
}

}  // namespace engine
