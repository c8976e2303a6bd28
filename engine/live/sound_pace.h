#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace engine {

// Tells whether the sound of a session comes faster than people speak, as that of a client that
// sends a recording does. Sound that merely waits, since the recogniser is slow, is not ahead. It
// reads no clock.
class SoundPace {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // So many samples have come by `now`, all in all. Times grow from call to call, and calls come
  // while there is no sound, too: a silence of the client gives it no credit. One thread calls it.
  void came(std::int64_t samples, Time now);

  // Returns whether what came is more than two seconds ahead of the clock. What a client has kept
  // back while it connected is forgiven with time: the sound that is due grows by a quarter faster
  // than the clock. Any thread may ask.
  bool is_ahead() const { return is_ahead_; }

 private:
  std::optional<Time> last_{};
  double due_s_ = 0;
  std::atomic<bool> is_ahead_ = false;
};

}  // namespace engine
