#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "engine/kernels/attention/attention_tile.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bf16")

namespace engine::kernels {
namespace {

constexpr int rows = tile_queries;
constexpr int width = 16;  // floats of a vector
constexpr float log2_e = 1.44269504F;

// Computes 2^x within 7.5e-5 relative (minimax), which rounding to bfloat16 hides; the result is
// next to 0 below -126, and NaN of NaN. x is split by adding 1.5·2^23: the sum's low bits are the
// nearest integer, which then goes into the exponent. Additions and shifts do not compete with the
// multiplications for ports on Zen 4.
__m512 exp2_for_bfloat16(__m512 x) {
  const __m512 magic = _mm512_set1_ps(12582912.0F);
  x = _mm512_max_ps(_mm512_set1_ps(-126.0F), x);
  const __m512 shifted = _mm512_add_ps(x, magic);
  const __m512 fraction = _mm512_sub_ps(x, _mm512_sub_ps(shifted, magic));
  __m512 p = _mm512_set1_ps(0.0551716691F);
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(0.242611122F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(0.693260985F));
  p = _mm512_fmadd_ps(p, fraction, _mm512_set1_ps(0.999928074F));
  const __m512i exponent = _mm512_slli_epi32(_mm512_castps_si512(shifted), 23);
  return _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(p), exponent));
}

__m512bh broadcast_pair(const Bfloat16* pair) {
  std::int32_t bits;
  std::memcpy(&bits, pair, sizeof(bits));
  return reinterpret_cast<__m512bh>(_mm512_set1_epi32(bits));
}

// out[r, 16v..] = scale[r]·out[r, 16v..] + Σ_i left[r, 2i]·right[i, v].first
//                                      + left[r, 2i + 1]·right[i, v].second
//   left   [rows, 2·pairs], one row every left_stride
//   right  [pairs, vectors] of 16 pairs, at right_step and vector_step
//   scale  [rows]
template <int vectors>
void multiply(const Bfloat16* left, int left_stride, const Bfloat16* right, int right_step,
              int vector_step, int pairs, const float* scale, float* out, int out_stride) {
  __m512 sum[rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      sum[r][v] =
          _mm512_mul_ps(_mm512_load_ps(out + r * out_stride + v * width), _mm512_set1_ps(scale[r]));
    }
  }
  for (int i = 0; i < pairs; ++i, left += 2, right += right_step) {
    __m512bh factor[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      factor[v] = reinterpret_cast<__m512bh>(_mm512_load_si512(right + v * vector_step));
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const __m512bh x = broadcast_pair(left + r * left_stride);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] = _mm512_dpbf16_ps(sum[r][v], x, factor[v]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      _mm512_store_ps(out + r * out_stride + v * width, sum[r][v]);
    }
  }
}

float maximum_of(const float* scores, int end) {
  __m512 a = _mm512_load_ps(scores);
  __m512 b = _mm512_load_ps(scores + width);
  for (int i = 2 * width; i < end; i += 2 * width) {
    a = _mm512_max_ps(a, _mm512_load_ps(scores + i));
    b = _mm512_max_ps(b, _mm512_load_ps(scores + i + width));
  }
  return _mm512_reduce_max_ps(_mm512_max_ps(a, b));
}

// Turns scores into probabilities in bfloat16, in place, and returns the sum of what was rounded.
float exponentiate(float* scores, int end, float maximum) {
  const __m512 scale = _mm512_set1_ps(log2_e);
  const __m512 offset = _mm512_set1_ps(maximum * log2_e);
  const auto ones = reinterpret_cast<__m512bh>(_mm512_set1_epi32(0x3F803F80));
  auto* out = reinterpret_cast<Bfloat16*>(scores);
  __m512 sum = _mm512_setzero_ps();
  for (int i = 0; i < end; i += 2 * width) {
    const __m512 a = _mm512_fmsub_ps(_mm512_load_ps(scores + i), scale, offset);
    const __m512 b = _mm512_fmsub_ps(_mm512_load_ps(scores + i + width), scale, offset);
    const __m512bh p = _mm512_cvtne2ps_pbh(exp2_for_bfloat16(b), exp2_for_bfloat16(a));
    sum = _mm512_dpbf16_ps(sum, p, ones);
    _mm512_store_si512(out + i, reinterpret_cast<__m512i>(p));
  }
  return _mm512_reduce_add_ps(sum);
}

void soften(TileState& tile, int n_key) {
  const int end = (n_key + 2 * width - 1) / (2 * width) * (2 * width);
  const __m512 before = _mm512_load_ps(tile.maximum.data());
  for (int r = 0; r < rows; ++r) {
    float* row = tile.scores.data() + r * tile_keys;
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
        tile.scores.data() + r * tile_keys, end, tile.maximum[static_cast<std::size_t>(r)]);
  }
}

void add_values(TileState& tile, const Bfloat16* values, int pairs) {
  multiply<4>(reinterpret_cast<const Bfloat16*>(tile.scores.data()), 2 * tile_keys, values,
              2 * head_dim, 2 * width, pairs, tile.scale.data(), tile.values.data(), head_dim);
}

}  // namespace

TileKernel tile_kernel_avx512_bf16() {
  return {scoring_int8_vnni(), soften, add_values};
}

}  // namespace engine::kernels

#pragma GCC pop_options
