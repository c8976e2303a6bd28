#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/kernels/decoder_attention/decoder_attention_store.h"

namespace engine::cpu {

// Keeps stores of one kind to be used again: making one means touching megabytes of new memory.
// A store that is handed out goes back when its last owner lets go, on whatever thread, also after
// the pool.
class KvPool {
 public:
  // `make` is called with the capacity of the new store.
  KvPool(std::function<kernels::KvStore(int)> make, std::size_t most_idle);

  // Returns the smallest idle store with at least this capacity, or else a new one with exactly it.
  std::shared_ptr<kernels::KvStore> take(int capacity);
  // Frees the idle stores. Returns whether there were some.
  bool release_idle();

 private:
  struct Idle {
    std::mutex mutex;
    std::vector<std::unique_ptr<kernels::KvStore>> stores;  // by ascending capacity

    // Returns null if no store has the capacity.
    std::unique_ptr<kernels::KvStore> take(int capacity);
    // Returns the smallest store, to be freed, if there are more than `most`.
    std::unique_ptr<kernels::KvStore> keep(std::unique_ptr<kernels::KvStore> used,
                                           std::size_t most);
  };

  std::function<kernels::KvStore(int)> make_;
  std::size_t most_idle_;
  std::shared_ptr<Idle> idle_ = std::make_shared<Idle>();
};

}  // namespace engine::cpu
