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
  KvPool(std::function<kernels::KvStore()> make, std::size_t most_idle);

  std::shared_ptr<kernels::KvStore> take();
  // Frees the stores that wait to be used again. Returns whether there were some.
  bool release_idle();

 private:
  struct Idle {
    std::mutex mutex;
    std::vector<std::unique_ptr<kernels::KvStore>> stores;
  };

  std::function<kernels::KvStore()> make_;
  std::size_t most_idle_;
  std::shared_ptr<Idle> idle_ = std::make_shared<Idle>();
};

}  // namespace engine::cpu
