#pragma once

#include <algorithm>
#include <chrono>
#include <limits>

namespace engine {

// Keeps the shortest of many repetitions: what else runs on a machine only ever adds to a time.
class BestTime {
 public:
  // It repeats for so long, and at least so many times.
  explicit BestTime(double budget_s, int least = 3)
      : end_(Clock::now() + std::chrono::duration<double>(budget_s)), least_(least) {}

  bool wants_more() const { return repetitions_ < least_ || Clock::now() < end_; }

  template <class Function>
  void measure(Function work) {
    const auto begin = Clock::now();
    work();
    best_s_ = std::min(best_s_, std::chrono::duration<double>(Clock::now() - begin).count());
    ++repetitions_;
  }

  double seconds() const { return best_s_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::chrono::time_point<Clock, std::chrono::duration<double>> end_;
  double best_s_ = std::numeric_limits<double>::infinity();
  int least_;
  int repetitions_ = 0;
};

}  // namespace engine
