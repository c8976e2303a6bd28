#include "engine/kernels/thread_pool.h"

#include <algorithm>
#include <utility>

namespace engine::kernels {
namespace {

// This takes about 50 µs: longer than the gap between two kernels, much shorter than a time slice.
constexpr int spins = 2000;

// Leaves the core to its other thread for some cycles. On arm64 `yield` does nothing on most cores,
// and a barrier of instructions takes about as long as `pause`.
inline void rest() {
#if defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#else
  __builtin_ia32_pause();
#endif
}

template <class T>
void wait_while(const std::atomic<T>& value, T old) {
  for (int i = 0; i < spins; ++i) {
    if (value.load(std::memory_order_acquire) != old) return;
    rest();
  }
  while (value.load(std::memory_order_acquire) == old) value.wait(old, std::memory_order_acquire);
}

}  // namespace

ThreadPool::ThreadPool(int size) {
  try {
    while (size_ < size) {
      threads_.emplace_back(
          [this, index = size_](const std::stop_token& stop) { serve(index, stop); });
      ++size_;
    }
  } catch (const std::exception&) {
    // A limit of threads or of memory is reached: those that there are do the work.
  }
}

ThreadPool::~ThreadPool() {
  for (auto& thread : threads_) thread.request_stop();
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void ThreadPool::run(const std::function<void(int)>& work) {
  work_ = &work;
  busy_.store(size_ - 1, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  work_on(0);
  for (int left = busy_.load(std::memory_order_acquire); left != 0;
       left = busy_.load(std::memory_order_acquire)) {
    wait_while(busy_, left);
  }
  if (!failed_.load(std::memory_order_relaxed)) return;
  arrived_.store(0, std::memory_order_relaxed);
  failed_.store(false, std::memory_order_relaxed);
  std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void ThreadPool::work_on(int index) noexcept {
  try {
    (*work_)(index);
  } catch (const Abandoned&) {
  } catch (...) {
    fail(std::current_exception());
  }
}

void ThreadPool::fail(std::exception_ptr thrown) noexcept {
  if (!failed_.exchange(true, std::memory_order_acq_rel)) thrown_ = std::move(thrown);
  // Wakes who waits at a barrier.
  passed_.fetch_add(1, std::memory_order_release);
  passed_.notify_all();
}

void ThreadPool::serve(int index, const std::stop_token& stop) {
  for (unsigned seen = 0;;) {
    wait_while(round_, seen);
    seen = round_.load(std::memory_order_acquire);
    if (stop.stop_requested()) return;
    work_on(index);
    busy_.fetch_sub(1, std::memory_order_release);
    busy_.notify_one();
  }
}

void ThreadPool::barrier() {
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

Span share(int count, int index, int size, int grain) {
  const int pieces = (count + grain - 1) / grain;
  const auto edge = [&](int i) {
    return std::min(count, static_cast<int>(static_cast<long>(pieces) * i / size) * grain);
  };
  return {edge(index), edge(index + 1)};
}

}  // namespace engine::kernels
