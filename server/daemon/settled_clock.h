#pragma once

#include <chrono>
#include <optional>

namespace server {

// Decides whether the wall clock can be relied on to find what has expired. Machines start with a
// wrong clock that is set right a little later, and what was deleted meanwhile would be gone for
// good.
class SettledClock {
 public:
  using Seconds = std::chrono::duration<double>;

  // Takes the current time of both clocks, in a call every now and then. True: they have run alike
  // for `settle_time`.
  bool is_settled(Seconds wall, Seconds steady);
  // Reads the system's clocks. The steady one counts while the machine sleeps, too.
  bool is_settled();

  static constexpr Seconds settle_time{300};

 private:
  // A larger difference in `settle_time` is a jump, no correction.
  static constexpr Seconds tolerance{10};

  struct Pair {
    Seconds wall;
    Seconds steady;
  };
  std::optional<Pair> since_{};
};

}  // namespace server
