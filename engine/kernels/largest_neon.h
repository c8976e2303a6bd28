#pragma once

#include <arm_neon.h>

#include <limits>

namespace engine::kernels {

// Sizes are compared by their bits, as integers: in that order NaN lies above infinity, so that the
// largest tells of both.
inline uint32x4_t size_bits(float32x4_t x) {
  return vandq_u32(vreinterpretq_u32_f32(x), vdupq_n_u32(0x7FFFFFFF));
}

// Returns the float whose bits are the largest of four; NaN where it is infinite or NaN.
inline float largest_size(uint32x4_t bits) {
  const float largest = vgetq_lane_f32(vreinterpretq_f32_u32(vdupq_n_u32(vmaxvq_u32(bits))), 0);
  return largest <= std::numeric_limits<float>::max() ? largest
                                                      : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace engine::kernels
