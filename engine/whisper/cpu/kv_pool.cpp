#include "engine/whisper/cpu/kv_pool.h"

#include <algorithm>
#include <utility>

namespace engine::cpu {
namespace {

int capacity_of(const std::unique_ptr<kernels::KvStore>& store) {
  return store->capacity();
}

}  // namespace

std::unique_ptr<kernels::KvStore> KvPool::Idle::take(int capacity) {
  const std::lock_guard lock(mutex);
  const auto found = std::ranges::lower_bound(stores, capacity, {}, capacity_of);
  if (found == stores.end()) return nullptr;
  std::unique_ptr<kernels::KvStore> store = std::move(*found);
  stores.erase(found);
  return store;
}

std::unique_ptr<kernels::KvStore> KvPool::Idle::keep(std::unique_ptr<kernels::KvStore> used,
                                                     std::size_t most) {
  const std::lock_guard lock(mutex);
  const auto at = std::ranges::lower_bound(stores, used->capacity(), {}, capacity_of);
  stores.insert(at, std::move(used));
  if (stores.size() <= most) return nullptr;
  std::unique_ptr<kernels::KvStore> smallest = std::move(stores.front());
  stores.erase(stores.begin());
  return smallest;
}

KvPool::KvPool(std::function<kernels::KvStore(int)> make, std::size_t most_idle)
    : make_(std::move(make)), most_idle_(most_idle) {
  // A store that is given back must not need memory.
  idle_->stores.reserve(most_idle + 1);
}

std::shared_ptr<kernels::KvStore> KvPool::take(int capacity) {
  std::unique_ptr<kernels::KvStore> store = idle_->take(capacity);
  if (!store) store = std::make_unique<kernels::KvStore>(make_(capacity));
  const auto give_back = [idle = idle_, most = most_idle_](kernels::KvStore* used) {
    idle->keep(std::unique_ptr<kernels::KvStore>(used), most);
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
