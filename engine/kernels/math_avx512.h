#pragma once

#include <immintrin.h>

#include "engine/kernels/gemm/gelu_polynomial.h"

#pragma GCC push_options
#pragma GCC target("avx512f")

namespace engine::kernels {

// Computes GELU of sixteen floats.
[[gnu::always_inline]] inline __m512 gelu(__m512 x) {
  const __m512 near =
      _mm512_max_ps(_mm512_min_ps(x, _mm512_set1_ps(gelu_limit)), _mm512_set1_ps(-gelu_limit));
  const __m512 square = _mm512_mul_ps(near, near);
  __m512 p = _mm512_set1_ps(gelu_polynomial[0]);
#pragma GCC unroll 8
  for (int i = 1; i < 9; ++i) p = _mm512_fmadd_ps(p, square, _mm512_set1_ps(gelu_polynomial[i]));
  return _mm512_mul_ps(x, _mm512_fmadd_ps(p, near, _mm512_set1_ps(0.5F)));
}

}  // namespace engine::kernels

#pragma GCC pop_options
