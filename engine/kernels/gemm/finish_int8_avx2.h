#pragma once

#include <immintrin.h>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_avx2.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {

// Makes eight outputs of one row, from `column` on, of the sums of their products.
template <Store store>
[[gnu::always_inline]] inline void finish(__m256i sums, const Int8Rows& x, int row,
                                          const Int8Matrix& w, int column, const Output& out) {
  const __m256 scale = _mm256_set1_ps(x.scale[row]);
  const __m256 shift = _mm256_set1_ps(x.scale[row] * x.zero[row]);
  const __m256 zero =
      _mm256_fnmadd_ps(shift, _mm256_loadu_ps(w.sum + column), _mm256_loadu_ps(w.bias + column));
  const __m256 factor = _mm256_mul_ps(scale, _mm256_loadu_ps(w.scale + column));
  write<store>(_mm256_fmadd_ps(_mm256_cvtepi32_ps(sums), factor, zero), out, row, column);
}

}  // namespace engine::kernels

#pragma GCC pop_options
