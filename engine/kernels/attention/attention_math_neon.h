#pragma once

#include <arm_neon.h>

#include "engine/kernels/bfloat16.h"
#include "engine/kernels/math_neon.h"

namespace engine::kernels {

inline uint32x4_t load_4_pairs(const Bfloat16* pairs) {
  return vreinterpretq_u32_u16(vld1q_u16(pairs));
}

// Return the first and the second of each pair, widened.
inline float32x4_t first(uint32x4_t pairs) {
  return vreinterpretq_f32_u32(vshlq_n_u32(pairs, 16));
}
inline float32x4_t second(uint32x4_t pairs) {
  return vreinterpretq_f32_u32(vandq_u32(pairs, vdupq_n_u32(0xFFFF0000U)));
}

}  // namespace engine::kernels
