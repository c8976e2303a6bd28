#include "engine/kernels/thread_pool.h"

#include <algorithm>
#include <utility>

#include "engine/kernels/spin_wait.h"

namespace engine::kernels {

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
  whole_.emplace(0, 0, size_, failed_);
}

ThreadPool::~ThreadPool() {
  for (auto& thread : threads_) thread.request_stop();
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void ThreadPool::run(const std::function<void(int)>& work) {
  run_in_teams(1, [&](const TeamThread& me) { work(me.index); });
}

void ThreadPool::run_in_teams(int count, const std::function<void(const TeamThread&)>& work) {
  divide(std::clamp(count, 1, size_));
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
  whole_->reset();
  for (ThreadTeam& team : parts_) team.reset();
  failed_.store(false, std::memory_order_relaxed);
  std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void ThreadPool::divide(int teams) {
  if (teams > 1 && std::ssize(parts_) != teams) {
    std::deque<ThreadTeam> parts;
    for (int i = 0; i < teams; ++i) {
      const Span threads = share(size_, i, teams);
      parts.emplace_back(i, threads.begin, threads.end - threads.begin, failed_);
    }
    parts_ = std::move(parts);
  }
  is_divided_ = teams > 1;
}

ThreadTeam& ThreadPool::team_of(int index) {
  if (!is_divided_) return *whole_;
  return *std::ranges::find_if(
      parts_, [&](const ThreadTeam& it) { return index < it.first() + it.size(); });
}

void ThreadPool::work_on(int index) noexcept {
  ThreadTeam& team = team_of(index);
  try {
    (*work_)({team, index - team.first()});
  } catch (const ThreadTeam::Abandoned&) {
  } catch (...) {
    fail(std::current_exception());
  }
}

void ThreadPool::fail(std::exception_ptr thrown) noexcept {
  if (!failed_.exchange(true, std::memory_order_acq_rel)) thrown_ = std::move(thrown);
  whole_->wake();
  for (ThreadTeam& team : parts_) team.wake();
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

Span share(int count, int index, int size, int grain) {
  const int pieces = (count + grain - 1) / grain;
  const auto edge = [&](int i) {
    return std::min(count, static_cast<int>(static_cast<long>(pieces) * i / size) * grain);
  };
  return {edge(index), edge(index + 1)};
}

}  // namespace engine::kernels
