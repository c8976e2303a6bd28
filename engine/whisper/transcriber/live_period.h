#pragma once

#include <array>
#include <cstddef>
#include <optional>

namespace engine {

// How much new sound there should be for each pass over it: enough that the device, which other
// sessions may use too, keeps up. A pass takes as long as its caller waits for it.
class LivePeriod {
 public:
  // `chunk_s` is what somebody wants; unset: 0.2 seconds.
  explicit LivePeriod(std::optional<double> chunk_s) : least_s_(chunk_s.value_or(0.2)) {}

  void add(double pass_s);
  // Returns 1.25 times the mean of the latest passes, and no less than what is wanted.
  double seconds() const;

 private:
  double least_s_;
  std::array<double, 4> passes_{};
  std::size_t count_ = 0;
};

}  // namespace engine
