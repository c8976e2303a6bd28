#include <immintrin.h>

#include <algorithm>
#include <array>
#include <limits>

#include "engine/kernels/attention/attention_math_avx512.h"
#include "engine/kernels/attention/attention_tile.h"

#pragma GCC push_options
#pragma GCC target("avx512f")

namespace engine::kernels {
namespace {

constexpr int rows = tile_queries;
constexpr int width = 16;  // floats of a vector

// out[r, 16v..] = scale[r]·out[r, 16v..] + Σ_i left[r, 2i]·right[i, v].first
//                                      + left[r, 2i + 1]·right[i, v].second
//   left   [rows, 2·pairs], one row every left_stride
//   right  [pairs, vectors] of 16 pairs, at right_step and vector_step
//   scale  [rows]; where it is null, out is only written
template <int vectors>
void multiply(const float* left, int left_stride, const Bfloat16* right, int right_step,
              int vector_step, int pairs, const float* scale, float* out, int out_stride) {
  __m512 sum[rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      sum[r][v] = scale == nullptr ? _mm512_setzero_ps()
                                   : _mm512_mul_ps(_mm512_load_ps(out + r * out_stride + v * width),
                                                   _mm512_set1_ps(scale[r]));
    }
  }
  for (int i = 0; i < pairs; ++i, left += 2, right += right_step) {
    __m512 factor[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      factor[v] = first(load_16_pairs(right + v * vector_step));
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const __m512 x = _mm512_set1_ps(left[r * left_stride]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] = _mm512_fmadd_ps(x, factor[v], sum[r][v]);
    }
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      factor[v] = second(load_16_pairs(right + v * vector_step));
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const __m512 x = _mm512_set1_ps(left[r * left_stride + 1]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] = _mm512_fmadd_ps(x, factor[v], sum[r][v]);
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

void score(TileState& tile, const std::byte* packed, int blocks) {
  const auto* keys = reinterpret_cast<const Bfloat16*>(packed);
  alignas(64) std::array<float, std::size_t{rows} * head_dim> queries;
  std::transform(tile.queries.begin(), tile.queries.begin() + queries.size(), queries.begin(),
                 to_float);
  constexpr int step = key_block_size;
  constexpr int pairs = head_dim / 2;
  int block = 0;
  for (; block + 4 <= blocks; block += 4) {
    multiply<4>(queries.data(), head_dim, keys + block * step, 2 * width, step, pairs, nullptr,
                tile.scores.data() + block * key_lanes, tile_keys);
  }
  for (; block < blocks; ++block) {
    multiply<1>(queries.data(), head_dim, keys + block * step, 2 * width, step, pairs, nullptr,
                tile.scores.data() + block * key_lanes, tile_keys);
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

// Turns scores into probabilities, in place, and returns their sum.
float exponentiate(float* scores, int end, float maximum) {
  const __m512 scale = _mm512_set1_ps(log2_e);
  const __m512 offset = _mm512_set1_ps(maximum * log2_e);
  __m512 sum = _mm512_setzero_ps();
  for (int i = 0; i < end; i += width) {
    const __m512 p = exp2(_mm512_fmsub_ps(_mm512_load_ps(scores + i), scale, offset));
    sum = _mm512_add_ps(sum, p);
    _mm512_store_ps(scores + i, p);
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
  const __m512 scale = exp2(_mm512_mul_ps(change, _mm512_set1_ps(log2_e)));
  _mm512_store_ps(tile.scale.data(), scale);
  _mm512_store_ps(tile.sum.data(), _mm512_mul_ps(scale, _mm512_load_ps(tile.sum.data())));
  for (int r = 0; r < rows; ++r) {
    tile.sum[static_cast<std::size_t>(r)] += exponentiate(
        tile.scores.data() + r * tile_keys, end, tile.maximum[static_cast<std::size_t>(r)]);
  }
}

void add_values(TileState& tile, const std::byte* packed, int pairs) {
  const auto* values = reinterpret_cast<const Bfloat16*>(packed);
  multiply<4>(tile.scores.data(), tile_keys, values, 2 * head_dim, 2 * width, pairs,
              tile.scale.data(), tile.values.data(), head_dim);
}

}  // namespace

TileKernel tile_kernel_avx512() {
  return {{key_block_size * sizeof(Bfloat16), pack_keys, nullptr, score},
          soften,
          sum_bfloat16(add_values)};
}

}  // namespace engine::kernels

#pragma GCC pop_options
