#pragma once

#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/math_neon.h"

namespace engine::kernels {

// Returns the upper halves, rounded to nearest, ties to even; NaN stays NaN.
inline uint16x4_t to_bfloat16(float32x4_t value) {
  const uint32x4_t bits = vreinterpretq_u32_f32(value);
  const uint32x4_t odd = vandq_u32(vshrq_n_u32(bits, 16), vdupq_n_u32(1));
  const uint32x4_t up = vaddq_u32(bits, vaddq_u32(odd, vdupq_n_u32(0x7FFF)));
  const uint32x4_t number = vceqq_f32(value, value);
  return vshrn_n_u32(vbslq_u32(number, up, vdupq_n_u32(0x7FC00000)), 16);
}

// Puts four results of one row, from `column` on, where `out` wants them.
template <Store store>
inline void write(float32x4_t value, const Output& out, int row, int column) {
  const std::ptrdiff_t at = row * out.stride + column;
  if constexpr (store == Store::gelu || store == Store::gelu_bfloat16) value = gelu(value);
  if constexpr (store == Store::exact_gelu) value = exact_gelu(value);
  if constexpr (store == Store::bfloat16 || store == Store::gelu_bfloat16) {
    vst1_u16(static_cast<std::uint16_t*>(out.data) + at, to_bfloat16(value));
  } else {
    float* to = static_cast<float*>(out.data) + at;
    if constexpr (store == Store::add) value = vaddq_f32(value, vld1q_f32(to));
    vst1q_f32(to, value);
  }
}

}  // namespace engine::kernels
