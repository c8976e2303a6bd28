#pragma once

#include <atomic>

namespace engine::kernels {

// Neighbours among the threads of a pool that do one piece of work together, with a barrier of
// their own. The pool makes its teams and drops them.
// Each has a line of the cache to itself, as its threads write there at every barrier.
class alignas(64) ThreadTeam {
 public:
  // It is thrown at a barrier that another thread will not come to.
  struct Abandoned {};

  //   first   index of its first thread in the pool
  //   failed  a thread of the pool has thrown; whoever sets it wakes all teams
  ThreadTeam(int number, int first, int size, const std::atomic<bool>& failed)
      : number_(number), first_(first), size_(size), failed_(failed) {}

  int number() const { return number_; }  // among the teams of the pool
  int first() const { return first_; }
  int size() const { return size_; }

  // Every thread of the team calls it: none goes on before all have come.
  void barrier();

  // Wakes who waits at the barrier, so that it sees that somebody has failed.
  void wake() noexcept;
  // Forgets who has come to a barrier that was abandoned. No thread may be at work.
  void reset() { arrived_.store(0, std::memory_order_relaxed); }

 private:
  int number_;
  int first_;
  int size_;
  const std::atomic<bool>& failed_;
  std::atomic<int> arrived_{0};      // at the barrier
  std::atomic<unsigned> passed_{0};  // counts barriers
};

// A thread at work in its team.
struct TeamThread {
  ThreadTeam& team;
  int index = 0;  // in the team

  int index_in_pool() const { return team.first() + index; }
};

}  // namespace engine::kernels
