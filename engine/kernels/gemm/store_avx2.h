#pragma once

#include <immintrin.h>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/math_avx2.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {

// Returns the upper halves, rounded to nearest, ties to even; NaN stays NaN.
[[gnu::always_inline]] inline __m128i to_bfloat16(__m256 value) {
  const __m256i bits = _mm256_castps_si256(value);
  const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  const __m256i up = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7FFF)));
  const __m256i none = _mm256_castps_si256(_mm256_cmp_ps(value, value, _CMP_UNORD_Q));
  const __m256i rounded =
      _mm256_srli_epi32(_mm256_blendv_epi8(up, _mm256_set1_epi32(0x7FC00000), none), 16);
  return _mm_packus_epi32(_mm256_castsi256_si128(rounded), _mm256_extracti128_si256(rounded, 1));
}

// Puts eight results of one row, from `column` on, where `out` wants them.
template <Store store>
[[gnu::always_inline]] inline void write(__m256 value, const Output& out, int row, int column) {
  const std::ptrdiff_t at = row * out.stride + column;
  if constexpr (store == Store::gelu || store == Store::gelu_bfloat16) value = gelu(value);
  if constexpr (store == Store::exact_gelu) value = exact_gelu(value);
  if constexpr (store == Store::bfloat16 || store == Store::gelu_bfloat16) {
    auto* to = static_cast<std::uint16_t*>(out.data) + at;
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), to_bfloat16(value));
  } else {
    float* to = static_cast<float*>(out.data) + at;
    if constexpr (store == Store::add) value = _mm256_add_ps(value, _mm256_loadu_ps(to));
    _mm256_storeu_ps(to, value);
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
