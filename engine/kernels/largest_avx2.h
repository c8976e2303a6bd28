#pragma once

#include <immintrin.h>

#include <limits>

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {

// Sizes are compared by their bits, as integers: in that order NaN lies above infinity and no
// comparison loses it, as _mm256_max_ps does.
[[gnu::always_inline]] inline __m256i size_bits(__m256 x) {
  return _mm256_and_si256(_mm256_castps_si256(x), _mm256_set1_epi32(0x7FFFFFFF));
}

// Returns the largest of eight sizes; NaN where one of them is infinite or NaN.
inline float largest_size(__m256i bits) {
  __m128i half = _mm_max_epi32(_mm256_castsi256_si128(bits), _mm256_extracti128_si256(bits, 1));
  half = _mm_max_epi32(half, _mm_shuffle_epi32(half, 0x4E));
  half = _mm_max_epi32(half, _mm_shuffle_epi32(half, 0xB1));
  const float largest = _mm_cvtss_f32(_mm_castsi128_ps(half));
  return largest <= std::numeric_limits<float>::max() ? largest
                                                      : std::numeric_limits<float>::quiet_NaN();
}

}  // namespace engine::kernels

#pragma GCC pop_options
