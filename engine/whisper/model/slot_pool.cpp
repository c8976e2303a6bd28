#include "engine/whisper/model/slot_pool.h"

#include <algorithm>

namespace engine {

SlotPool::Slot SlotPool::take() {
  const std::lock_guard lock(mutex_);
  const auto free = std::find(used_.begin(), used_.end(), false);
  const auto index = static_cast<int>(free - used_.begin());
  if (free == used_.end()) {
    used_.push_back(true);
  } else {
    *free = true;
  }
  return {shared_from_this(), index};
}

void SlotPool::give_back(int index) {
  const std::lock_guard lock(mutex_);
  used_[static_cast<std::size_t>(index)] = false;
}

}  // namespace engine
