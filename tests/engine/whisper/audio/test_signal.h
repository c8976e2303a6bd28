#pragma once

#include <cstdint>
#include <vector>

namespace engine {

// A triangle wave whose pitch climbs, with some noise: integers alone, so that every machine makes
// the same samples. mel_golden.json was computed from this signal.
inline std::vector<float> test_signal(int samples) {
  std::vector<float> signal;
  std::uint32_t phase = 0;
  std::uint32_t noise = 1;
  for (int i = 0; i < samples; ++i) {
    phase += 20000000U + static_cast<std::uint32_t>(i) * 4000U;
    noise = noise * 1664525U + 1013904223U;
    const auto folded = static_cast<std::int32_t>(phase) >> 16;
    const std::int32_t triangle = (folded < 0 ? -folded : folded) - 16384;
    const std::int32_t value = triangle / 2 + static_cast<std::int32_t>(noise >> 24);
    signal.push_back(static_cast<float>(value) / 32768.0F);
  }
  return signal;
}

}  // namespace engine
