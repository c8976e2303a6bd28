#include "engine/whisper/torch_model/slot_pool.h"

#include <algorithm>

namespace engine {

std::optional<SlotPool::Slot> SlotPool::take() {
  const std::lock_guard lock(mutex_);
  const auto free = std::find(used_.begin(), used_.end(), false);
  if (free == used_.end()) return std::nullopt;
  *free = true;
  return std::optional<Slot>(std::in_place, shared_from_this(),
                             static_cast<int>(free - used_.begin()));
}

int SlotPool::in_use() const {
  const std::lock_guard lock(mutex_);
  return static_cast<int>(std::count(used_.begin(), used_.end(), true));
}

void SlotPool::give_back(int index) {
  const std::lock_guard lock(mutex_);
  used_[static_cast<std::size_t>(index)] = false;
}

}  // namespace engine
