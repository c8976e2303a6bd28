#pragma once

#include <atomic>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/kernels/thread_team.h"

namespace engine::kernels {

// Owns the threads that compute one model's kernels together: the caller and `size() - 1` of its
// own. Between two pieces of work, and at a barrier, a thread first spins, since the next comes
// within microseconds in a forward pass, and then sleeps. It serves one caller at a time.
class ThreadPool {
 public:
  // The pool has `size` threads, or fewer where the system gives no more.
  explicit ThreadPool(int size);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return size_; }

  // Runs work(index) once on every thread, index 0 on the caller, and returns when all are done.
  // Throws what the work has thrown first, on whatever thread; the others leave their work at its
  // next barrier.
  void run(const std::function<void(int index)>& work);
  // Does the same with the threads divided into teams, as even as can be, each of at least one: all
  // threads do the work, and each team has its own barrier. What one team throws ends the others'
  // work, too, at their next barrier.
  void run_in_teams(int count, const std::function<void(const TeamThread& me)>& work);

  // Every thread calls it inside `run`: none goes on before all have come. Inside `run_in_teams`
  // nobody does, as teams have barriers of their own.
  void barrier() { whole_->barrier(); }

 private:
  // Makes the teams of the next round. Throws std::bad_alloc, for more than one.
  void divide(int teams);
  ThreadTeam& team_of(int index);
  void serve(int index, const std::stop_token& stop);
  // Does one thread's part of a round.
  void work_on(int index) noexcept;
  void fail(std::exception_ptr thrown) noexcept;

  int size_ = 1;
  const std::function<void(const TeamThread&)>* work_ = nullptr;  // of the round under way
  std::optional<ThreadTeam> whole_;  // all threads as one team; it is always there
  std::deque<ThreadTeam> parts_;     // the teams of the last round that had several
  bool is_divided_ = false;          // the round under way has these
  std::atomic<unsigned> round_{0};   // counts calls of run
  std::atomic<int> busy_{0};         // own threads that still compute
  std::atomic<bool> failed_{false};  // the round under way
  std::exception_ptr thrown_;        // by whoever has set failed_
  std::vector<std::jthread> threads_;
};

// The part [begin, end) of `count` items that thread `index` of `size` takes, in pieces of whole
// `grain` items.
struct Span {
  int begin = 0;
  int end = 0;
};
Span share(int count, int index, int size, int grain = 1);

}  // namespace engine::kernels
