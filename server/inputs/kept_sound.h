#pragma once

#include <cstdint>
#include <optional>

namespace server {

// Kept sound is s16, little-endian, at 16 kHz and of one channel.
inline constexpr int sound_rate_hz = 16'000;
inline constexpr std::uint64_t sound_bytes_per_second = 2 * sound_rate_hz;

// What there is of a job's sound.
struct KeptSound {
  std::uint64_t bytes = 0;
  // False: it is being written, or its job ended before all of it was decoded.
  bool is_whole = false;

  double seconds() const { return static_cast<double>(bytes) / sound_bytes_per_second; }
  friend bool operator==(const KeptSound&, const KeptSound&) = default;
};

// Returns whether a job's sound is to be read with other daemons: all of it is there, and not here.
// An attempt of this daemon may have left a part that was never finished.
inline bool lies_elsewhere(const std::optional<KeptSound>& here,
                           const std::optional<KeptSound>& of_job) {
  return of_job && of_job->is_whole && !(here && here->is_whole);
}

}  // namespace server
