#include <immintrin.h>

#include <algorithm>
#include <array>
#include <limits>

#include "engine/kernels/attention/attention_math_avx2.h"
#include "engine/kernels/attention/attention_tile.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

constexpr int rows = tile_queries;
constexpr int width = 8;  // floats of a vector

// out[r, 8v..] = scale[r]·out[r, 8v..] + Σ_i left[r, 2i]·right[i, v].first
//                                      + left[r, 2i + 1]·right[i, v].second
//   left   [rows, 2·pairs], one row every left_stride
//   right  [pairs, vectors] of 8 pairs, at right_step and vector_step
//   scale  [rows]; where it is null, out is only written
template <int vectors>
void multiply(const float* left, int left_stride, const Bfloat16* right, int right_step,
              int vector_step, int pairs, const float* scale, float* out, int out_stride) {
  __m256 sum[rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      sum[r][v] = scale == nullptr ? _mm256_setzero_ps()
                                   : _mm256_mul_ps(_mm256_load_ps(out + r * out_stride + v * width),
                                                   _mm256_set1_ps(scale[r]));
    }
  }
  for (int i = 0; i < pairs; ++i, left += 2, right += right_step) {
    __m256 factor[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      factor[v] = first(load_8_pairs(right + v * vector_step));
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const __m256 x = _mm256_set1_ps(left[r * left_stride]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] = _mm256_fmadd_ps(x, factor[v], sum[r][v]);
    }
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      factor[v] = second(load_8_pairs(right + v * vector_step));
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const __m256 x = _mm256_set1_ps(left[r * left_stride + 1]);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] = _mm256_fmadd_ps(x, factor[v], sum[r][v]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      _mm256_store_ps(out + r * out_stride + v * width, sum[r][v]);
    }
  }
}

void score(TileState& tile, const std::byte* packed, int blocks) {
  const auto* keys = reinterpret_cast<const Bfloat16*>(packed);
  alignas(64) std::array<float, std::size_t{rows} * head_dim> queries;
  std::transform(tile.queries.begin(), tile.queries.begin() + queries.size(), queries.begin(),
                 to_float);
  for (int block = 0; block < blocks; ++block) {
    multiply<2>(queries.data(), head_dim, keys + block * static_cast<int>(key_block_size),
                2 * key_lanes, 2 * width, head_dim / 2, nullptr,
                tile.scores.data() + block * key_lanes, tile_keys);
  }
}

float maximum_of(const float* scores, int end) {
  __m256 a = _mm256_load_ps(scores);
  __m256 b = _mm256_load_ps(scores + width);
  for (int i = 2 * width; i < end; i += 2 * width) {
    a = _mm256_max_ps(a, _mm256_load_ps(scores + i));
    b = _mm256_max_ps(b, _mm256_load_ps(scores + i + width));
  }
  return maximum_lane(_mm256_max_ps(a, b));
}

// Turns scores into probabilities, in place, and returns their sum.
float exponentiate(float* scores, int end, float maximum) {
  const __m256 scale = _mm256_set1_ps(log2_e);
  const __m256 offset = _mm256_set1_ps(maximum * log2_e);
  __m256 sum = _mm256_setzero_ps();
  for (int i = 0; i < end; i += width) {
    const __m256 p = exp2(_mm256_fmsub_ps(_mm256_load_ps(scores + i), scale, offset));
    sum = _mm256_add_ps(sum, p);
    _mm256_store_ps(scores + i, p);
  }
  return add_lanes(sum);
}

void soften(TileState& tile, int n_key) {
  const int end = (n_key + 2 * width - 1) / (2 * width) * (2 * width);
  const __m256 before = _mm256_load_ps(tile.maximum.data());
  for (int r = 0; r < rows; ++r) {
    float* row = tile.scores.data() + r * tile_keys;
    std::fill(row + n_key, row + end, -std::numeric_limits<float>::infinity());
    float& maximum = tile.maximum[static_cast<std::size_t>(r)];
    maximum = std::max(maximum, maximum_of(row, end));
  }
  const __m256 change = _mm256_sub_ps(before, _mm256_load_ps(tile.maximum.data()));
  const __m256 scale = exp2(_mm256_mul_ps(change, _mm256_set1_ps(log2_e)));
  _mm256_store_ps(tile.scale.data(), scale);
  _mm256_store_ps(tile.sum.data(), _mm256_mul_ps(scale, _mm256_load_ps(tile.sum.data())));
  for (int r = 0; r < rows; ++r) {
    tile.sum[static_cast<std::size_t>(r)] += exponentiate(
        tile.scores.data() + r * tile_keys, end, tile.maximum[static_cast<std::size_t>(r)]);
  }
}

void add_values(TileState& tile, const Bfloat16* values, int pairs) {
  for (int dim = 0; dim < head_dim; dim += 2 * width) {
    multiply<2>(tile.scores.data(), tile_keys, values + 2 * dim, 2 * head_dim, 2 * width, pairs,
                tile.scale.data(), tile.values.data() + dim, head_dim);
  }
}

}  // namespace

TileKernel tile_kernel_avx2() {
  return {{key_block_size * sizeof(Bfloat16), pack_keys, nullptr, score}, soften, add_values};
}

}  // namespace engine::kernels

#pragma GCC pop_options
