#pragma once

#include <immintrin.h>

#include <limits>

#pragma GCC push_options
#pragma GCC target("avx512f")

namespace engine::kernels {

// These functions do for sixteen floats what those of largest_avx2.h do for eight.
[[gnu::always_inline]] inline __m512i size_bits(__m512 x) {
  return _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(0x7FFFFFFF));
}

inline float largest_size(__m512i bits) {
  const float largest =
      _mm_cvtss_f32(_mm_castsi128_ps(_mm_cvtsi32_si128(_mm512_reduce_max_epi32(bits))));
  return largest <= std::numeric_limits<float>::max() ? largest
                                                      : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace engine::kernels

#pragma GCC pop_options
