#pragma once

#include <atomic>

namespace engine::kernels {

// This takes about 50 µs: longer than the gap between two kernels, much shorter than a time slice.
inline constexpr int spins = 2000;

// Leaves the core to its other thread for some cycles. On arm64 `yield` does nothing on most cores,
// and a barrier of instructions takes about as long as `pause`.
inline void rest() {
#if defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#else
  __builtin_ia32_pause();
#endif
}

// Spins and then sleeps until the value is another than `old`; whoever changes it notifies.
template <class T>
void wait_while(const std::atomic<T>& value, T old) {
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    rest();
  }
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

}  // namespace engine::kernels
