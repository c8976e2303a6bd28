#pragma once

#include <chrono>
#include <optional>

namespace server {

// Whether the clock of the wall can be relied on to decide what has expired. Machines start with a
// wrong one, and are set right a little later: what was deleted meanwhile would be gone for good.
class SettledClock {
 public:
  using Seconds = std::chrono::duration<double>;

  // The time of both clocks now, for a call every now and then. True: for as long as `settle_time`
  // they have gone alike.
  bool is_settled(Seconds wall, Seconds steady);
  // By the system's clocks. The steady one counts while the machine sleeps, too.
  bool is_settled();

  static constexpr Seconds settle_time{300};

 private:
  static constexpr Seconds tolerance{10};  // more in `settle_time` is a jump, and not a correction

  struct Pair {
    Seconds wall;
    Seconds steady;
  };
  std::optional<Pair> since_{};
};

}  // namespace server
