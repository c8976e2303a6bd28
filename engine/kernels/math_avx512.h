#pragma once

#include <immintrin.h>

#include "engine/kernels/gemm/gelu_polynomial.h"
#include "engine/kernels/log2_e.h"

#pragma GCC push_options
#pragma GCC target("avx512f")

namespace engine::kernels {

// Computes 2^x within 1.5e-7 relative (minimax polynomial of degree 5) for x ≤ 0; the result is
// 2^-100 below -100, and NaN of NaN: of two operands the second is taken where one is none.
// It stops there because products of anything much smaller would not be normal numbers, which take
// Intel's CPUs a hundred times as long.
inline __m512 exp2(__m512 x) {
  x = _mm512_max_ps(_mm512_set1_ps(-100.0F), x);
  const __m512 whole = _mm512_roundscale_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m512 fraction = _mm512_sub_ps(x, whole);
  __m512 p = _mm512_set1_ps(1.3276472e-3F);
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(9.67554133e-3F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(5.55071327e-2F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(0.240221197F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(0.693146967F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(1.0F));
  return _mm512_scalef_ps(p, whole);
}

// Computes GELU of sixteen floats, within 4e-5 for |x| ≤ 8 and beyond that within 5e-6·|x|.
[[gnu::always_inline]] inline __m512 gelu(__m512 x) {
  const __m512 near =
      _mm512_max_ps(_mm512_min_ps(x, _mm512_set1_ps(gelu_limit)), _mm512_set1_ps(-gelu_limit));
  const __m512 square = _mm512_mul_ps(near, near);
  __m512 p = _mm512_set1_ps(gelu_polynomial[0]);
#pragma GCC unroll 8
  for (int i = 1; i < 9; ++i) p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(gelu_polynomial[i]));
  return _mm512_mul_ps(x, _mm512_fmadd_ps(p, near, _mm512_set1_ps(0.5F)));
}

// Computes GELU of sixteen floats within 2e-7 of the larger of 1 and |x|, which is a rounding where
// |x| is large; next to 0 the result has fewer correct digits than a float. It is max(x, 0) -
// ½|x|·erfc(|x|/√2), with erfc as a polynomial of 1/(1 + p·|x|/√2) times e^(-x²/2) (Abramowitz and
// Stegun 7.1.26, 1.5e-7).
inline __m512 exact_gelu(__m512 x) {
  const __m512 zero = _mm512_setzero_ps();
  const __m512 size = _mm512_max_ps(_mm512_sub_ps(zero, x), x);
  const __m512 one = _mm512_set1_ps(1.0F);
  const __m512 t = _mm512_div_ps(one, _mm512_fmadd_ps(size, _mm512_set1_ps(erfc_step), one));
  __m512 p = _mm512_set1_ps(erfc_polynomial[0]);
#pragma GCC unroll 4
  for (int i = 1; i < 5; ++i) p = _mm512_fmadd_ps(p, t, _mm512_set1_ps(erfc_polynomial[i]));
  const __m512 half_square = _mm512_mul_ps(_mm512_mul_ps(x, x), _mm512_set1_ps(-0.5F * log2_e));
  const __m512 tail = _mm512_mul_ps(_mm512_mul_ps(p, t), exp2(half_square));
  return _mm512_fnmadd_ps(_mm512_mul_ps(size, _mm512_set1_ps(0.5F)), tail, _mm512_max_ps(zero, x));
}

}  // namespace engine::kernels

#pragma GCC pop_options
