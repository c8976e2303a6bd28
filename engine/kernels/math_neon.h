#pragma once

#include <arm_neon.h>

#include "engine/kernels/gemm/gelu_polynomial.h"
#include "engine/kernels/log2_e.h"

// NEON is in the floor of arm64, so that nothing has to be switched on here.
namespace engine::kernels {

// Computes 2^x within 1.5e-7 relative (minimax polynomial of degree 5) for x ≤ 0; the result is
// 2^-100 below -100, and NaN of NaN, which the maximum hands on.
inline float32x4_t exp2(float32x4_t x) {
  x = vmaxq_f32(vdupq_n_f32(-100.0F), x);
  const float32x4_t whole = vrndnq_f32(x);
  const float32x4_t fraction = vsubq_f32(x, whole);
  float32x4_t p = vdupq_n_f32(1.3276472e-3F);
  p = vfmaq_f32(vdupq_n_f32(9.67554133e-3F), p, fraction);
  p = vfmaq_f32(vdupq_n_f32(5.55071327e-2F), p, fraction);
  p = vfmaq_f32(vdupq_n_f32(0.240221197F), p, fraction);
  p = vfmaq_f32(vdupq_n_f32(0.693146967F), p, fraction);
  p = vfmaq_f32(vdupq_n_f32(1.0F), p, fraction);
  const int32x4_t exponent = vshlq_n_s32(vcvtq_s32_f32(whole), 23);
  return vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(p), exponent));
}

// Computes GELU of four floats, within 4e-5 for |x| ≤ 8 and beyond that within 5e-6·|x|.
inline float32x4_t gelu(float32x4_t x) {
  const float32x4_t near =
      vmaxq_f32(vminq_f32(x, vdupq_n_f32(gelu_limit)), vdupq_n_f32(-gelu_limit));
  const float32x4_t square = vmulq_f32(near, near);
  float32x4_t p = vdupq_n_f32(gelu_polynomial[0]);
#pragma GCC unroll 8
  for (int i = 1; i < 9; ++i) p = vfmaq_f32(vdupq_n_f32(gelu_polynomial[i]), p, square);
  return vmulq_f32(x, vfmaq_f32(vdupq_n_f32(0.5F), p, near));
}

// Computes GELU of four floats within 2e-7 of the larger of 1 and |x|, which is a rounding where
// |x| is large; next to 0 the result has fewer correct digits than a float. It is max(x, 0) -
// ½|x|·erfc(|x|/√2), with erfc as a polynomial of 1/(1 + p·|x|/√2) times e^(-x²/2) (Abramowitz and
// Stegun 7.1.26, 1.5e-7).
inline float32x4_t exact_gelu(float32x4_t x) {
  const float32x4_t size = vabsq_f32(x);
  const float32x4_t one = vdupq_n_f32(1.0F);
  const float32x4_t t = vdivq_f32(one, vfmaq_f32(one, size, vdupq_n_f32(erfc_step)));
  float32x4_t p = vdupq_n_f32(erfc_polynomial[0]);
#pragma GCC unroll 4
  for (int i = 1; i < 5; ++i) p = vfmaq_f32(vdupq_n_f32(erfc_polynomial[i]), p, t);
  const float32x4_t half_square = vmulq_f32(vmulq_f32(x, x), vdupq_n_f32(-0.5F * log2_e));
  const float32x4_t tail = vmulq_f32(vmulq_f32(p, t), exp2(half_square));
  return vfmsq_f32(vmaxq_f32(vdupq_n_f32(0.0F), x), vmulq_f32(size, vdupq_n_f32(0.5F)), tail);
}

}  // namespace engine::kernels
