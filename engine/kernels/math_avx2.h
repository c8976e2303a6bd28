#pragma once

#include <immintrin.h>

#include "engine/kernels/gemm/gelu_polynomial.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {

// Computes GELU of eight floats.
[[gnu::always_inline]] inline __m256 gelu(__m256 x) {
  const __m256 near =
      _mm256_max_ps(_mm256_min_ps(x, _mm256_set1_ps(gelu_limit)), _mm256_set1_ps(-gelu_limit));
  const __m256 square = _mm256_mul_ps(near, near);
  __m256 p = _mm256_set1_ps(gelu_polynomial[0]);
#pragma GCC unroll 8
  for (int i = 1; i < 9; ++i) p = _mm256_fmadd_ps(p, square, _mm256_set1_ps(gelu_polynomial[i]));
  return _mm256_mul_ps(x, _mm256_fmadd_ps(p, near, _mm256_set1_ps(0.5F)));
}

}  // namespace engine::kernels

#pragma GCC pop_options
