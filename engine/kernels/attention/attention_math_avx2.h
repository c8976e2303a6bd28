#pragma once

#include <immintrin.h>

#include "engine/kernels/bfloat16.h"
#include "engine/kernels/math_avx2.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {

inline __m256i load_8_pairs(const Bfloat16* pairs) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(pairs));
}

// Return the first and the second of each pair, widened.
inline __m256 first(__m256i pairs) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16));
}
inline __m256 second(__m256i pairs) {
  return _mm256_castsi256_ps(_mm256_and_si256(pairs, _mm256_set1_epi32(-65536)));
}

// Return the lanes' sum and maximum.
inline float add_lanes(__m256 x) {
  const __m128 half = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  const __m128 two = _mm_add_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}
inline float maximum_lane(__m256 x) {
  const __m128 half = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
  const __m128 two = _mm_max_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_max_ss(two, _mm_movehdup_ps(two)));
}

}  // namespace engine::kernels

#pragma GCC pop_options
