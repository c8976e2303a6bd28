#pragma once

#include <bit>
#include <cstdint>

namespace engine::kernels {

// The bits of an IEEE half.
using Float16 = std::uint16_t;

// Returns a number that float16 has; of others what lies next to them towards 0. It must not be
// larger than 65504.
inline Float16 to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint32_t>(bits >> 16 & 0x8000);
  const std::uint32_t size = bits & 0x7FFFFFFF;
  constexpr std::uint32_t least_normal = 113U << 23;  // 2^-14
  if (size < least_normal) {
    return static_cast<Float16>(sign |
                                static_cast<std::uint32_t>(std::bit_cast<float>(size) * 0x1p24F));
  }
  return static_cast<Float16>(sign | ((size - (112U << 23)) >> 13));
}

}  // namespace engine::kernels
