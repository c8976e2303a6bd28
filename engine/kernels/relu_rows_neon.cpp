#include <arm_neon.h>

#include "engine/kernels/gemm/store_neon.h"
#include "engine/kernels/relu_rows.h"

namespace engine::kernels {
namespace {

constexpr int lanes = 4;

// The maximum hands on what is no number.
float32x4_t positive(float32x4_t x) {
  return vmaxq_f32(vdupq_n_f32(0), x);
}

}  // namespace

float relu(float* x, int n) {
  float32x4_t largest = vdupq_n_f32(0);
  for (int i = 0; i < n; i += lanes) {
    const float32x4_t y = positive(vld1q_f32(x + i));
    vst1q_f32(x + i, y);
    largest = vmaxq_f32(largest, y);
  }
  return vmaxvq_f32(largest);
}

float add_relu(float* x, const float* y, int n) {
  float32x4_t largest = vdupq_n_f32(0);
  for (int i = 0; i < n; i += lanes) {
    const float32x4_t sum = positive(vaddq_f32(vld1q_f32(x + i), vld1q_f32(y + i)));
    vst1q_f32(x + i, sum);
    largest = vmaxq_f32(largest, sum);
  }
  return vmaxvq_f32(largest);
}

void norm_relu(const float* x, const float* scale, const float* shift, int n, float* out) {
  for (int i = 0; i < n; i += lanes) {
    const float32x4_t y = vfmaq_f32(vld1q_f32(shift + i), vld1q_f32(x + i), vld1q_f32(scale + i));
    vst1q_f32(out + i, positive(y));
  }
}

void quantize_positive(const float* x, int n, float scale, std::uint8_t* q) {
  const float32x4_t inverse = vdupq_n_f32(scale > 0 ? 1 / scale : 0);
  for (int i = 0; i < n; i += 2 * lanes) {
    const uint32x4_t one = vcvtnq_u32_f32(vmulq_f32(vld1q_f32(x + i), inverse));
    const uint32x4_t other = vcvtnq_u32_f32(vmulq_f32(vld1q_f32(x + i + lanes), inverse));
    vst1_u8(q + i, vqmovn_u16(vqmovn_high_u32(vqmovn_u32(one), other)));
  }
}

void round_row(const float* x, int n, Bfloat16* out) {
  for (int i = 0; i < n; i += lanes) vst1_u16(out + i, to_bfloat16(vld1q_f32(x + i)));
}

}  // namespace engine::kernels
