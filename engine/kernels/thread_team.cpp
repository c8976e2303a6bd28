#include "engine/kernels/thread_team.h"

#include "engine/kernels/spin_wait.h"

namespace engine::kernels {

void ThreadTeam::barrier() {
  const unsigned now = passed_.load(std::memory_order_acquire);
  // This is asked after `passed_` was read: who fails from now on changes that, and is heard below.
  if (failed_.load(std::memory_order_acquire)) throw Abandoned{};
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == size_) {
    arrived_.store(0, std::memory_order_relaxed);
    passed_.fetch_add(1, std::memory_order_release);
    passed_.notify_all();
  } else {
    wait_while(passed_, now);
    if (failed_.load(std::memory_order_acquire)) throw Abandoned{};
  }
}

void ThreadTeam::wake() noexcept {
  passed_.fetch_add(1, std::memory_order_release);
  passed_.notify_all();
}

}  // namespace engine::kernels
