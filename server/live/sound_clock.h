#pragma once

#include <chrono>
#include <deque>
#include <optional>

namespace server {

// Remembers when the sound of a session came, so that one can say how late its text is. It reads no
// clock.
class SoundClock {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // All sound before `end_s` has come by `now`. Times grow from call to call.
  void came(double end_s, Time now);

  // Returns how much of the sound is due by `now`: what came, but no more than the clock allows, so
  // that a client that sends faster than people speak makes nobody late.
  double due_s(Time now) const;

  // Returns how long ago the sound at `at_s` came; nothing: it did not come yet, or too long ago.
  std::optional<double> age_s(double at_s, Time now) const;

 private:
  struct Mark {
    double end_s;
    Time time;
  };

  // Enough for two minutes of pieces of 20 ms. Shorter pieces share a mark.
  static constexpr std::size_t most_marks = 6'000;
  static constexpr double least_step_s = 0.02;

  std::deque<Mark> marks_{};
  Mark due_{0, {}};    // what was due when sound came last
  double came_s_ = 0;  // all sound
};

}  // namespace server
