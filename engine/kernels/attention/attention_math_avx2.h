#pragma once

#include <immintrin.h>

#include "engine/kernels/bfloat16.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {

constexpr float log2_e = 1.44269504F;

// Computes 2^x within 1.5e-7 relative (minimax polynomial of degree 5) for x ≤ 0; the result is
// next to 0 below -126, and NaN of NaN: of two operands the second is taken where one is none.
inline __m256 exp2(__m256 x) {
  x = _mm256_max_ps(_mm256_set1_ps(-126.0F), x);
  const __m256 whole = _mm256_round_ps(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  const __m256 fraction = _mm256_sub_ps(x, whole);
  __m256 p = _mm256_set1_ps(1.3276472e-3F);
  p = _mm256_fmadd_ps(p, fraction, _mm256_set1_ps(9.67554133e-3F));
  p = _mm256_fmadd_ps(p, fraction, _mm256_set1_ps(5.55071327e-2F));
  p = _mm256_fmadd_ps(p, fraction, _mm256_set1_ps(0.240221197F));
  p = _mm256_fmadd_ps(p, fraction, _mm256_set1_ps(0.693146967F));
  p = _mm256_fmadd_ps(p, fraction, _mm256_set1_ps(1.0F));
  const __m256i exponent = _mm256_slli_epi32(_mm256_cvtps_epi32(whole), 23);
  return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), exponent));
}

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
