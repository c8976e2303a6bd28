#pragma once

#include <bit>
#include <cstdint>

namespace engine::kernels {

// The upper half of a float's bits.
using Bfloat16 = std::uint16_t;

inline float to_float(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
}

// Rounds to nearest, ties to even. NaN stays NaN: rounding up could make a number of it.
inline Bfloat16 to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto rounded = static_cast<Bfloat16>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
  return value == value ? rounded : Bfloat16{0x7FC0};
}

}  // namespace engine::kernels
