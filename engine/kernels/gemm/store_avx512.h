#pragma once

#include <immintrin.h>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/math_avx512.h"

#pragma GCC push_options
#pragma GCC target("avx512f")

namespace engine::kernels {

// Returns the upper halves, rounded to nearest, ties to even; NaN stays NaN. CPUs with VNNI need
// not have BF16.
[[gnu::always_inline]] inline __m256i to_bfloat16(__m512 value) {
  const __m512i bits = _mm512_castps_si512(value);
  const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
  const __m512i up = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7FFF)));
  const __mmask16 none = _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q);
  const __m512i rounded = _mm512_mask_mov_epi32(up, none, _mm512_set1_epi32(0x7FC00000));
  return _mm512_cvtepi32_epi16(_mm512_srli_epi32(rounded, 16));
}

// Puts sixteen results of one row, from `column` on, where `out` wants them.
template <Store store>
[[gnu::always_inline]] inline void write(__m512 value, const Output& out, int row, int column) {
  const std::ptrdiff_t at = row * out.stride + column;
  if constexpr (store == Store::gelu || store == Store::gelu_bfloat16) value = gelu(value);
  if constexpr (store == Store::exact_gelu) value = exact_gelu(value);
  if constexpr (store == Store::bfloat16 || store == Store::gelu_bfloat16) {
    auto* to = static_cast<std::uint16_t*>(out.data) + at;
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), to_bfloat16(value));
  } else {
    float* to = static_cast<float*>(out.data) + at;
    if constexpr (store == Store::add) value = _mm512_add_ps(value, _mm512_loadu_ps(to));
    _mm512_storeu_ps(to, value);
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
