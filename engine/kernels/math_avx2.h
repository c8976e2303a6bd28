#pragma once

#include <immintrin.h>

#include "engine/kernels/gemm/gelu_polynomial.h"
#include "engine/kernels/log2_e.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {

// Computes 2^x within 1.5e-7 relative (minimax polynomial of degree 5) for x ≤ 0; the result is
// 2^-100 below -100, and NaN of NaN: of two operands the second is taken where one is none.
// It stops there because products of anything much smaller would not be normal numbers, which take
// Intel's CPUs a hundred times as long.
inline __m256 exp2(__m256 x) {
  x = _mm256_max_ps(_mm256_set1_ps(-100.0F), x);
  const __m256 whole = _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m256 fraction = _mm256_sub_ps(x, whole);
  __m256 p = _mm256_set1_ps(1.3276472e-3F);
  p = _mm256_fmadd_ps(p, fraction, _mm256_set1_ps(9.67554133e-3F));
  p = _mm256_fmadd_ps(p, fraction, _mm256_set1_ps(5.55071327e-2F));
  p = _mm256_fmadd_ps(p, fraction, _mm256_set1_ps(0.240221197F));
  p = _mm256_fmadd_ps(p, fraction, _mm256_set1_ps(0.693146967F));
  p = _mm256_fmadd_ps(p, fraction, _mm256_set1_ps(1.0F));
  const __m256i exponent = _mm256_slli_epi32(_mm256_cvtps_epi32(whole), 23);
  return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), exponent));
}

// Computes GELU of eight floats, within 4e-5 for |x| ≤ 8 and beyond that within 5e-6·|x|.
[[gnu::always_inline]] inline __m256 gelu(__m256 x) {
  const __m256 near =
      _mm256_max_ps(_mm256_min_ps(x, _mm256_set1_ps(gelu_limit)), _mm256_set1_ps(-gelu_limit));
  const __m256 square = _mm256_mul_ps(near, near);
  __m256 p = _mm256_set1_ps(gelu_polynomial[0]);
#pragma GCC unroll 8
  for (int i = 1; i < 9; ++i) p = _mm256_fmadd_ps(p, square, _mm256_set1_ps(gelu_polynomial[i]));
  return _mm256_mul_ps(x, _mm256_fmadd_ps(p, near, _mm256_set1_ps(0.5F)));
}

// Computes GELU of eight floats within 2e-7 of the larger of 1 and |x|, which is a rounding where
// |x| is large; next to 0 the result has fewer correct digits than a float. It is max(x, 0) -
// ½|x|·erfc(|x|/√2), with erfc as a polynomial of 1/(1 + p·|x|/√2) times e^(-x²/2) (Abramowitz and
// Stegun 7.1.26, 1.5e-7).
inline __m256 exact_gelu(__m256 x) {
  const __m256 zero = _mm256_setzero_ps();
  const __m256 size = _mm256_max_ps(_mm256_sub_ps(zero, x), x);
  const __m256 one = _mm256_set1_ps(1.0F);
  const __m256 t = _mm256_div_ps(one, _mm256_fmadd_ps(size, _mm256_set1_ps(erfc_step), one));
  __m256 p = _mm256_set1_ps(erfc_polynomial[0]);
#pragma GCC unroll 4
  for (int i = 1; i < 5; ++i) p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(erfc_polynomial[i]));
  const __m256 half_square = _mm256_mul_ps(_mm256_mul_ps(x, x), _mm256_set1_ps(-0.5F * log2_e));
  const __m256 tail = _mm256_mul_ps(_mm256_mul_ps(p, t), exp2(half_square));
  return _mm256_fnmadd_ps(_mm256_mul_ps(size, _mm256_set1_ps(0.5F)), tail, _mm256_max_ps(zero, x));
}

}  // namespace engine::kernels

#pragma GCC pop_options
