#include <immintrin.h>

#include <algorithm>

#include "engine/kernels/attention/attention_int8.h"
#include "engine/kernels/attention/attention_tile.h"
#include "engine/kernels/attention/soften_avx512_bf16.h"
#include "engine/kernels/tiles_amx.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512bf16,amx-tile,amx-int8,amx-bf16")

namespace engine::kernels {
namespace {

constexpr int rows = tile_rows;
constexpr int width = 16;  // numbers of 32 bits in a vector
// The scores of 16 queries and so many keys stay in the first cache.
constexpr int block_keys = 384;
static_assert(rows <= most_tile_queries && rows * block_keys <= most_tile_scores);

void prepare(TileState& tile) {
  quantize_queries(tile, rows);
}

// Multiplies all queries with four blocks of keys, or with fewer: sums [16, 64]. A row of sums
// begins with the keys' offsets, which is the same memory for all rows.
void multiply_keys(const Int8KeyBlock* const* keys, std::int32_t* sums) {
  constexpr std::ptrdiff_t stride = 4 * tile_bytes;
  auto* to = reinterpret_cast<std::byte*>(sums);
  _tile_loadd(0, keys[0]->offset.data(), 0);
  _tile_loadd(1, keys[1]->offset.data(), 0);
  _tile_loadd(6, keys[0]->weight.data(), tile_bytes);
  _tile_loadd(7, keys[1]->weight.data(), tile_bytes);
  _tile_dpbusd(0, 4, 6);
  _tile_dpbusd(1, 4, 7);
  _tile_stored(0, to, stride);
  _tile_stored(1, to + tile_bytes, stride);
  _tile_loadd(2, keys[2]->offset.data(), 0);
  _tile_loadd(3, keys[3]->offset.data(), 0);
  _tile_loadd(6, keys[2]->weight.data(), tile_bytes);
  _tile_loadd(7, keys[3]->weight.data(), tile_bytes);
  _tile_dpbusd(2, 4, 6);
  _tile_dpbusd(3, 4, 7);
  _tile_stored(2, to + 2 * tile_bytes, stride);
  _tile_stored(3, to + 3 * tile_bytes, stride);
}

void scale_scores(const std::int32_t* sums, const Int8KeyBlock& keys, const float* query_scale,
                  float* scores) {
  const __m512 key_scale = _mm512_load_ps(keys.scale.data());
#pragma GCC unroll 4
  for (int r = 0; r < rows; ++r) {
    const __m512 factor = _mm512_mul_ps(key_scale, _mm512_set1_ps(query_scale[r]));
    const __m512 sum = _mm512_cvtepi32_ps(_mm512_load_si512(sums + r * 4 * width));
    _mm512_store_ps(scores + r * block_keys, _mm512_mul_ps(sum, factor));
  }
}

void score(TileState& tile, const std::byte* packed, int blocks) {
  const auto* keys = reinterpret_cast<const Int8KeyBlock*>(packed);
  alignas(64) std::int32_t sums[2][rows * 4 * width];
  finish_writes();
  const TileScope tiles(rows);
  _tile_loadd(4, tile.query_bytes.data(), tile_bytes);
  for (int block = 0; block < blocks; block += 4) {
    const int last = std::min(block + 3, blocks - 1);
    const Int8KeyBlock* const four[4] = {keys + block, keys + std::min(block + 1, last),
                                         keys + std::min(block + 2, last), keys + last};
    std::int32_t* room = sums[block / 4 % 2];
    multiply_keys(four, room);
    for (int i = 0; i <= last - block; ++i) {
      scale_scores(room + i * width, keys[block + i], tile.query_scale.data(),
                   tile.scores.data() + (block + i) * key_lanes);
    }
  }
}

void soften(TileState& tile, int n_key) {
  soften_rows(tile, rows, block_keys, n_key);
}

// A tile has 32 keys: `pairs` may end within one, whose other keys have probabilities next to 0.
void add_values(TileState& tile, const std::byte* packed, int pairs) {
  const auto* values = reinterpret_cast<const Bfloat16*>(packed);
  float* sums = tile.values.data();
  for (int r = 0; r < rows; ++r) {
    const __m512 scale = _mm512_set1_ps(tile.scale[static_cast<std::size_t>(r)]);
#pragma GCC unroll 4
    for (int i = 0; i < head_dim; i += width) {
      float* at = sums + r * head_dim + i;
      _mm512_store_ps(at, _mm512_mul_ps(_mm512_load_ps(at), scale));
    }
  }
  constexpr std::ptrdiff_t stride = head_dim * sizeof(float);
  finish_writes();
  const TileScope tiles(rows);
  _tile_loadd(0, sums, stride);
  _tile_loadd(1, sums + width, stride);
  _tile_loadd(2, sums + 2 * width, stride);
  _tile_loadd(3, sums + 3 * width, stride);
  const auto* probabilities = reinterpret_cast<const std::byte*>(tile.scores.data());
  const auto* right = reinterpret_cast<const std::byte*>(values);
  constexpr std::ptrdiff_t row = tile_bytes * 4;  // of the values of two keys
  for (int pair = 0; pair < pairs; pair += tile_rows) {
    _tile_loadd(4, probabilities, block_keys * sizeof(float));
    _tile_loadd(6, right, row);
    _tile_dpbf16ps(0, 4, 6);
    _tile_loadd(7, right + tile_bytes, row);
    _tile_dpbf16ps(1, 4, 7);
    _tile_loadd(6, right + 2 * tile_bytes, row);
    _tile_dpbf16ps(2, 4, 6);
    _tile_loadd(7, right + 3 * tile_bytes, row);
    _tile_dpbf16ps(3, 4, 7);
    probabilities += tile_bytes;
    right += tile_rows * row;
  }
  _tile_stored(0, sums, stride);
  _tile_stored(1, sums + width, stride);
  _tile_stored(2, sums + 2 * width, stride);
  _tile_stored(3, sums + 3 * width, stride);
}

}  // namespace

TileKernel tile_kernel_amx() {
  return {.scoring = {sizeof(Int8KeyBlock), pack_int8_keys, prepare, score},
          .soften = soften,
          .summing = sum_bfloat16(add_values),
          .queries = rows,
          .keys = block_keys};
}

}  // namespace engine::kernels

#pragma GCC pop_options
