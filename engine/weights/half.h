#pragma once

#include <bit>
#include <cstdint>

namespace engine {

// Shifts exponent and mantissa into float32's place; multiplying by 2^112 repairs the exponent and
// normalises subnormals. It has no branches, so that a loop over it can be vectorised.
inline float half_to_float(std::uint16_t half) {
  const std::uint32_t magnitude = (half & 0x7fffu) << 13;
  const std::uint32_t infinite = magnitude >= 0x0f800000u ? 0x7f800000u : 0u;
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
  const std::uint32_t sign = (half & 0x8000u) << 16;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | infinite | sign);
}

inline float bfloat_to_float(std::uint16_t value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

}  // namespace engine
