#include "engine/whisper/cpu/kv_pool.h"

#include <utility>

namespace engine::cpu {

KvPool::KvPool(std::function<kernels::KvStore()> make, std::size_t most_idle)
    : make_(std::move(make)), most_idle_(most_idle) {
  // A store that is given back must not need memory.
  idle_->stores.reserve(most_idle);
}

std::shared_ptr<kernels::KvStore> KvPool::take() {
  std::unique_ptr<kernels::KvStore> store;
  {
    const std::lock_guard lock(idle_->mutex);
    if (!idle_->stores.empty()) {
      store = std::move(idle_->stores.back());
      idle_->stores.pop_back();
    }
  }
  if (!store) store = std::make_unique<kernels::KvStore>(make_());
  const auto give_back = [idle = idle_, most = most_idle_](kernels::KvStore* used) {
    std::unique_ptr<kernels::KvStore> owned(used);
    const std::lock_guard lock(idle->mutex);
    if (idle->stores.size() < most) idle->stores.push_back(std::move(owned));
  };
  return {store.release(), give_back};
}

bool KvPool::release_idle() {
  const std::lock_guard lock(idle_->mutex);
  const bool had_some = !idle_->stores.empty();
  idle_->stores.clear();
  return had_some;
}

}  // namespace engine::cpu
