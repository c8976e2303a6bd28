#include <immintrin.h>

#include <cstdint>
#include <cstring>

#include "engine/kernels/attention/attention_tile.h"
#include "engine/kernels/attention/soften_avx512_bf16.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bf16")

namespace engine::kernels {
namespace {

constexpr int rows = tile_queries;
constexpr int width = 16;  // floats of a vector
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

void soften(TileState& tile, int n_key) {
  soften_rows(tile, tile_queries, tile_keys, n_key);
}

void add_values(TileState& tile, const std::byte* packed, int pairs) {
  const auto* values = reinterpret_cast<const Bfloat16*>(packed);
  multiply<4>(reinterpret_cast<const Bfloat16*>(tile.scores.data()), 2 * tile_keys, values,
              2 * head_dim, 2 * width, pairs, tile.scale.data(), tile.values.data(), head_dim);
}

}  // namespace

TileKernel tile_kernel_avx512_bf16() {
  return {scoring_int8_vnni(), soften, sum_bfloat16(add_values)};
}

}  // namespace engine::kernels

#pragma GCC pop_options
