#pragma once

#include <immintrin.h>

#include <algorithm>
#include <limits>

#include "engine/kernels/attention/attention_tile.h"
#include "engine/kernels/bfloat16.h"
#include "engine/kernels/log2_e.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bf16")

namespace engine::kernels {

constexpr int score_lanes = 16;  // floats of a vector

// Computes 2^x within 7.5e-5 relative (minimax), which rounding to bfloat16 hides; the result is
// 2^-100 below -100, and NaN of NaN. x is split by adding 1.5·2^23: the sum's low bits are the
// nearest integer, which then goes into the exponent. Additions and shifts do not compete with the
// multiplications for ports on Zen 4.
inline __m512 exp2_for_bfloat16(__m512 x) {
  const __m512 magic = _mm512_set1_ps(12582912.0F);
  x = _mm512_max_ps(_mm512_set1_ps(-100.0F), x);
  const __m512 shifted = _mm512_add_ps(x, magic);
  const __m512 fraction = _mm512_sub_ps(x, _mm512_sub_ps(shifted, magic));
  __m512 p = _mm512_set1_ps(0.0551716691F);
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(0.242611122F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(0.693260985F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(0.999928074F));
  const __m512i exponent = _mm512_slli_epi32(_mm512_castps_si512(shifted), 23);
  return _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(p), exponent));
}

inline float maximum_of(const float* scores, int end) {
  __m512 a = _mm512_load_ps(scores);
  __m512 b = _mm512_load_ps(scores + score_lanes);
  for (int i = 2 * score_lanes; i < end; i += 2 * score_lanes) {
    a = _mm512_max_ps(a, _mm512_load_ps(scores + i));
    b = _mm512_max_ps(b, _mm512_load_ps(scores + i + score_lanes));
  }
  return _mm512_reduce_max_ps(_mm512_max_ps(a, b));
}

// Turns scores into probabilities in bfloat16, in place, and returns the sum of what was rounded.
inline float exponentiate(float* scores, int end, float maximum) {
  const __m512 scale = _mm512_set1_ps(log2_e);
  const __m512 offset = _mm512_set1_ps(maximum * log2_e);
  const auto ones = reinterpret_cast<__m512bh>(_mm512_set1_epi32(0x3F803F80));
  auto* out = reinterpret_cast<Bfloat16*>(scores);
  __m512 sum = _mm512_setzero_ps();
  for (int i = 0; i < end; i += 2 * score_lanes) {
    const __m512 a = _mm512_fmsub_ps(_mm512_load_ps(scores + i), scale, offset);
    const __m512 b = _mm512_fmsub_ps(_mm512_load_ps(scores + i + score_lanes), scale, offset);
    const __m512bh p = _mm512_cvtne2ps_pbh(exp2_for_bfloat16(b), exp2_for_bfloat16(a));
    sum = _mm512_dpbf16_ps(sum, p, ones);
    _mm512_store_si512(out + i, reinterpret_cast<__m512i>(p));
  }
  return _mm512_reduce_add_ps(sum);
}

// TileKernel::soften, where the scores of a row begin `stride` after those of the row before.
inline void soften_rows(TileState& tile, int rows, int stride, int n_key) {
  const int end = (n_key + 2 * score_lanes - 1) / (2 * score_lanes) * (2 * score_lanes);
  const __m512 before = _mm512_load_ps(tile.maximum.data());
  for (int r = 0; r < rows; ++r) {
    float* row = tile.scores.data() + r * stride;
    std::fill(row + n_key, row + end, -std::numeric_limits<float>::infinity());
    float& maximum = tile.maximum[static_cast<std::size_t>(r)];
    maximum = std::max(maximum, maximum_of(row, end));
  }
  const __m512 change = _mm512_sub_ps(before, _mm512_load_ps(tile.maximum.data()));
  const __m512 scale = exp2_for_bfloat16(_mm512_mul_ps(change, _mm512_set1_ps(log2_e)));
  _mm512_store_ps(tile.scale.data(), scale);
  _mm512_store_ps(tile.sum.data(), _mm512_mul_ps(scale, _mm512_load_ps(tile.sum.data())));
  for (int r = 0; r < rows; ++r) {
    tile.sum[static_cast<std::size_t>(r)] += exponentiate(
        tile.scores.data() + r * stride, end, tile.maximum[static_cast<std::size_t>(r)]);
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
