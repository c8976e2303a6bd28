#pragma once

#include <immintrin.h>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_avx512.h"

#pragma GCC push_options
#pragma GCC target("avx512f")

namespace engine::kernels {

// Makes sixteen outputs of one row, from `column` on, of the sums of their products.
template <Store store>
[[gnu::always_inline]] inline void finish(__m512i sums, const Int8Rows& x, int row,
                                          const Int8Matrix& w, int column, const Output& out) {
  const __m512 scale = _mm512_set1_ps(x.scale[row]);
  const __m512 shift = _mm512_set1_ps(x.scale[row] * x.zero[row]);
  const __m512 zero =
      _mm512_fnmadd_ps(shift, _mm512_loadu_ps(w.sum + column), _mm512_loadu_ps(w.bias + column));
  const __m512 factor = _mm512_mul_ps(scale, _mm512_loadu_ps(w.scale + column));
  write<store>(_mm512_fmadd_ps(_mm512_cvtepi32_ps(sums), factor, zero), out, row, column);
}

}  // namespace engine::kernels

#pragma GCC pop_options
