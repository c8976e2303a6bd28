#pragma once

#include <poll.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <stop_token>
#include <utility>
#include <vector>

namespace server::test {

// The sound of one job, as the fake worker reads it from its pipe: floats at 16 kHz.
class FakeSound {
 public:
  FakeSound(int pcm, std::stop_token stop) : pcm_(pcm), stop_(std::move(stop)) {}

  // Reads up to a second of sound, and returns how many seconds these are: less than one at the
  // sound's end, or when the job is cancelled.
  double read_second() {
    std::size_t filled = 0;
    while (filled < second_.size() && !stop_.stop_requested()) {
      pollfd ready{pcm_, POLLIN, 0};
      if (::poll(&ready, 1, 20) == 0) continue;
      const auto got = ::read(pcm_, second_.data() + filled, second_.size() - filled);
      if (got <= 0) break;
      filled += static_cast<std::size_t>(got);
    }
    return static_cast<double>(filled) / bytes_per_second;
  }

  // Returns the first sample of what was read last, as one of 16 bits.
  long level() const {
    float sample = 0;
    std::memcpy(&sample, second_.data(), sizeof sample);
    return std::lround(sample * 32'768);
  }

 private:
  static constexpr std::size_t bytes_per_second = 16'000 * sizeof(float);

  int pcm_;
  std::stop_token stop_;
  std::vector<char> second_ = std::vector<char>(bytes_per_second);
};

}  // namespace server::test
