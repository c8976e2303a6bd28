#include <arm_neon.h>

#include <algorithm>
#include <cmath>

#include "engine/kernels/gemm/store_neon.h"
#include "engine/kernels/largest_neon.h"
#include "engine/kernels/rows.h"

namespace engine::kernels {
namespace {

constexpr int lanes = 4;

// Two sums are under way: rows are multiples of 8.
float sum_of(float32x4_t one, float32x4_t other) {
  return vaddvq_f32(vaddq_f32(one, other));
}

// Returns eight numbers, of which none is beyond 16 bits, as bytes without a sign.
uint8x8_t to_bytes(float32x4_t one, float32x4_t other) {
  const int16x8_t words = vqmovn_high_s32(vqmovn_s32(vcvtnq_s32_f32(one)), vcvtnq_s32_f32(other));
  return vqmovun_s16(words);
}

}  // namespace

void layer_norm(const float* x, const LayerNormWeights& norm, int n, float* out) {
  float32x4_t total[2] = {vdupq_n_f32(0), vdupq_n_f32(0)};
  for (int i = 0; i < n; i += 2 * lanes) {
    total[0] = vaddq_f32(total[0], vld1q_f32(x + i));
    total[1] = vaddq_f32(total[1], vld1q_f32(x + i + lanes));
  }
  const float32x4_t mean = vdupq_n_f32(sum_of(total[0], total[1]) / static_cast<float>(n));
  float32x4_t squares[2] = {vdupq_n_f32(0), vdupq_n_f32(0)};
  for (int i = 0; i < n; i += 2 * lanes) {
    const float32x4_t one = vsubq_f32(vld1q_f32(x + i), mean);
    const float32x4_t other = vsubq_f32(vld1q_f32(x + i + lanes), mean);
    squares[0] = vfmaq_f32(squares[0], one, one);
    squares[1] = vfmaq_f32(squares[1], other, other);
  }
  const float variance = sum_of(squares[0], squares[1]) / static_cast<float>(n);
  const float32x4_t factor = vdupq_n_f32(1 / std::sqrt(variance + 1e-5F));
  for (int i = 0; i < n; i += lanes) {
    const float32x4_t unit = vmulq_f32(vsubq_f32(vld1q_f32(x + i), mean), factor);
    vst1q_f32(out + i, vfmaq_f32(vld1q_f32(norm.bias + i), unit, vld1q_f32(norm.weight + i)));
  }
}

void quantize(const float* x, int n, std::uint8_t* q, float* scale, float* zero) {
  // Numbers with a sign lie below 0 as integers: each of the two sees its own half, and NaN has a
  // sign, too.
  int32x4_t high = vdupq_n_s32(0);
  int32x4_t low = vdupq_n_s32(0);
  for (int i = 0; i < n; i += lanes) {
    const float32x4_t four = vld1q_f32(x + i);
    const int32x4_t turned =
        veorq_s32(vreinterpretq_s32_f32(four), vdupq_n_s32(std::numeric_limits<int>::min()));
    high = vmaxq_s32(high, vreinterpretq_s32_f32(four));
    low = vmaxq_s32(low, turned);
  }
  const float top = largest_size(vreinterpretq_u32_s32(high));
  const float bottom = largest_size(vreinterpretq_u32_s32(low));
  // In this order std::max hands on NaN.
  const float range = std::max(top + bottom, 1e-20F);
  *scale = range / 255;
  *zero = std::nearbyint(bottom / range * 255);
  const float32x4_t inverse = vdupq_n_f32(255 / range);
  const float32x4_t shift = vdupq_n_f32(*zero);
  for (int i = 0; i < n; i += 2 * lanes) {
    const float32x4_t one = vfmaq_f32(shift, vld1q_f32(x + i), inverse);
    const float32x4_t other = vfmaq_f32(shift, vld1q_f32(x + i + lanes), inverse);
    vst1_u8(q + i, to_bytes(one, other));
  }
}

float quantize_signed(const float* x, int n, std::int8_t* q) {
  uint32x4_t largest = vdupq_n_u32(0);
  for (int i = 0; i < n; i += lanes) largest = vmaxq_u32(largest, size_bits(vld1q_f32(x + i)));
  const float maximum = std::max(largest_size(largest), 1e-30F);
  const float32x4_t inverse = vdupq_n_f32(127.0F / maximum);
  for (int i = 0; i < n; i += 2 * lanes) {
    const int32x4_t one = vcvtnq_s32_f32(vmulq_f32(vld1q_f32(x + i), inverse));
    const int32x4_t other = vcvtnq_s32_f32(vmulq_f32(vld1q_f32(x + i + lanes), inverse));
    vst1_s8(q + i, vqmovn_s16(vqmovn_high_s32(vqmovn_s32(one), other)));
  }
  return maximum / 127.0F;
}

void round(const float* x, int n, Bfloat16* out) {
  for (int i = 0; i < n; i += lanes) vst1_u16(out + i, to_bfloat16(vld1q_f32(x + i)));
}

void add(float* x, const float* y, int n) {
  for (int i = 0; i < n; i += lanes) {
    vst1q_f32(x + i, vaddq_f32(vld1q_f32(x + i), vld1q_f32(y + i)));
  }
}

}  // namespace engine::kernels
