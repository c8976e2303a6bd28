#include <immintrin.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "engine/kernels/attention/attention_int16.h"
#include "engine/kernels/attention/attention_math_avx2.h"
#include "engine/kernels/attention/attention_tile.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

constexpr int rows = tile_queries;
constexpr int width = 8;  // floats of a vector

using Sums = __m256i[rows][2];

[[gnu::always_inline]] inline void clear(Sums& sums) {
#pragma GCC unroll 8
  for (auto& row : sums) row[0] = row[1] = _mm256_setzero_si256();
}

// Adds the products of two neighbouring integers of each row with those of sixteen columns.
//   left  of the first row; the next one is `stride` integers behind it
[[gnu::always_inline]] inline void add_products(const std::int16_t* left, int stride,
                                                const std::int16_t* right, Sums& sums) {
  const __m256i low = _mm256_load_si256(reinterpret_cast<const __m256i*>(right));
  const __m256i high = _mm256_load_si256(reinterpret_cast<const __m256i*>(right + 2 * width));
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
    std::int32_t pair;
    __builtin_memcpy(&pair, left + r * stride, sizeof(pair));
    const __m256i x = _mm256_set1_epi32(pair);
    sums[r][0] = _mm256_add_epi32(sums[r][0], _mm256_madd_epi16(x, low));
    sums[r][1] = _mm256_add_epi32(sums[r][1], _mm256_madd_epi16(x, high));
  }
}

void prepare(TileState& tile) {
  quantize_queries_int16(tile, rows);
}

void score_block(const TileState& tile, const Int16KeyBlock& keys, float* scores) {
  const auto* queries = reinterpret_cast<const std::int16_t*>(tile.queries.data());
  Sums sums;
  clear(sums);
  const std::int16_t* weight = keys.weight.data();
  for (int dim = 0; dim < head_dim; dim += 2, weight += 2 * key_lanes) {
    add_products(queries + dim, head_dim, weight, sums);
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
    const __m256 scale = _mm256_set1_ps(tile.query_scale[static_cast<std::size_t>(r)]);
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      const __m256 factor = _mm256_mul_ps(scale, _mm256_load_ps(keys.scale.data() + v * width));
      _mm256_store_ps(scores + r * tile_keys + v * width,
                      _mm256_mul_ps(_mm256_cvtepi32_ps(sums[r][v]), factor));
    }
  }
}

void score(TileState& tile, const std::byte* packed, int blocks) {
  const auto* keys = reinterpret_cast<const Int16KeyBlock*>(packed);
  for (int block = 0; block < blocks; ++block) {
    score_block(tile, keys[block], tile.scores.data() + block * key_lanes);
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

__m256 probabilities(const float* scores, __m256 offset) {
  return exp2(_mm256_fmsub_ps(_mm256_load_ps(scores), _mm256_set1_ps(log2_e), offset));
}

// Writes probabilities in their steps over the scores, whose first half they fill, and returns the
// sum.
float exponentiate(float* scores, int end, float maximum) {
  const __m256 offset = _mm256_set1_ps(maximum * log2_e);
  const __m256 steps = _mm256_set1_ps(probability_steps);
  auto* out = reinterpret_cast<std::int16_t*>(scores);
  __m256 sum = _mm256_setzero_ps();
  for (int i = 0; i < end; i += 2 * width) {
    const __m256 a = probabilities(scores + i, offset);
    const __m256 b = probabilities(scores + i + width, offset);
    sum = _mm256_add_ps(sum, _mm256_add_ps(a, b));
    // Packing works within the halves of a register; this puts them back in order.
    const __m256i both = _mm256_packs_epi32(_mm256_cvtps_epi32(_mm256_mul_ps(a, steps)),
                                            _mm256_cvtps_epi32(_mm256_mul_ps(b, steps)));
    _mm256_store_si256(reinterpret_cast<__m256i*>(out + i), _mm256_permute4x64_epi64(both, 0xD8));
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

// Adds the values of a block to what is kept, sixteen dimensions from `dim` on, times the scale of
// each row where there is one.
//   weights  of the first row
void add_block(const std::int16_t* weights, const Int16ValueBlock& values, int pairs, int dim,
               const float* row_scale, float* kept) {
  Sums sums;
  clear(sums);
  const std::int16_t* value = values.weight.data() + 2 * dim;
  for (int pair = 0; pair < pairs; ++pair, value += 2 * head_dim) {
    add_products(weights + 2 * pair, 2 * tile_keys, value, sums);
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
    const __m256 before = _mm256_set1_ps(row_scale == nullptr ? 1.0F : row_scale[r]);
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      float* to = kept + r * head_dim + dim + v * width;
      const __m256 scale = _mm256_load_ps(values.scale.data() + dim + v * width);
      const __m256 more = _mm256_mul_ps(_mm256_cvtepi32_ps(sums[r][v]), scale);
      _mm256_store_ps(to, _mm256_fmadd_ps(_mm256_load_ps(to), before, more));
    }
  }
}

void add_values(TileState& tile, const std::byte* packed, int pairs) {
  constexpr int block_pairs = Int16ValueBlock::keys / 2;
  const auto* values = reinterpret_cast<const Int16ValueBlock*>(packed);
  const auto* weights = reinterpret_cast<const std::int16_t*>(tile.scores.data());
  const float* row_scale = tile.scale.data();
  for (int pair = 0; pair < pairs; pair += block_pairs, ++values, row_scale = nullptr) {
    const int count = std::min(block_pairs, pairs - pair);
    for (int dim = 0; dim < head_dim; dim += 2 * width) {
      add_block(weights + 2 * pair, *values, count, dim, row_scale, tile.values.data());
    }
  }
}

}  // namespace

TileKernel tile_kernel_avx2() {
  return {.scoring = {sizeof(Int16KeyBlock), pack_int16_keys, prepare, score},
          .soften = soften,
          .summing = {sizeof(Int16ValueBlock) * key_lanes / Int16ValueBlock::keys,
                      pack_int16_values, add_values}};
}

}  // namespace engine::kernels

#pragma GCC pop_options
