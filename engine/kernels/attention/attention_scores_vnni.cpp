#include <immintrin.h>

#include <algorithm>

#include "engine/kernels/attention/attention_int8.h"
#include "engine/kernels/attention/attention_tile.h"
#include "engine/kernels/vectors_vnni.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")

namespace engine::kernels {
namespace {

constexpr int width = 16;  // numbers of 32 bits in a vector

void prepare(TileState& tile) {
  quantize_queries(tile, tile_queries);
}

[[gnu::always_inline]] inline void store(__m512i sums, const Int8KeyBlock& keys, __m512 query_scale,
                                         float* scores) {
  const __m512 factor = _mm512_mul_ps(_mm512_load_ps(keys.scale.data()), query_scale);
  const __m512i products = _mm512_add_epi32(sums, _mm512_load_si512(keys.offset.data()));
  _mm512_store_ps(scores, _mm512_mul_ps(_mm512_cvtepi32_ps(products), factor));
}

[[gnu::always_inline]] inline void store(const Vectors& sums, const Int8KeyBlock* const* blocks,
                                         float query_scale, float* scores) {
  const __m512 scale = _mm512_set1_ps(query_scale);
  store(sums.v0, *blocks[0], scale, scores);
  store(sums.v1, *blocks[1], scale, scores + width);
  store(sums.v2, *blocks[2], scale, scores + 2 * width);
  store(sums.v3, *blocks[3], scale, scores + 3 * width);
}

// Multiplies all queries with `count` blocks, at most four: the sums, a four of each key and one of
// a query fill the registers.
void score_blocks(const TileState& tile, const Int8KeyBlock* first, int count, float* scores) {
  const Int8KeyBlock* const blocks[4] = {first, first + std::min(1, count - 1),
                                         first + std::min(2, count - 1), first + count - 1};
  Vectors sums0, sums1, sums2, sums3, sums4, sums5;
  const std::uint8_t* query = tile.query_bytes.data();
  for (int at = 0; at < static_cast<int>(key_block_size); at += width * 4, query += 4) {
    const Vectors keys{_mm512_load_si512(blocks[0]->weight.data() + at),
                       _mm512_load_si512(blocks[1]->weight.data() + at),
                       _mm512_load_si512(blocks[2]->weight.data() + at),
                       _mm512_load_si512(blocks[3]->weight.data() + at)};
    sums0.add_products(query, keys);
    sums1.add_products(query + head_dim, keys);
    sums2.add_products(query + 2 * head_dim, keys);
    sums3.add_products(query + 3 * head_dim, keys);
    sums4.add_products(query + 4 * head_dim, keys);
    sums5.add_products(query + 5 * head_dim, keys);
  }
  const float* scale = tile.query_scale.data();
  store(sums0, blocks, scale[0], scores);
  store(sums1, blocks, scale[1], scores + tile_keys);
  store(sums2, blocks, scale[2], scores + 2 * tile_keys);
  store(sums3, blocks, scale[3], scores + 3 * tile_keys);
  store(sums4, blocks, scale[4], scores + 4 * tile_keys);
  store(sums5, blocks, scale[5], scores + 5 * tile_keys);
}

void score(TileState& tile, const std::byte* packed, int blocks) {
  const auto* keys = reinterpret_cast<const Int8KeyBlock*>(packed);
  for (int block = 0; block < blocks; block += 4) {
    score_blocks(tile, keys + block, std::min(4, blocks - block),
                 tile.scores.data() + block * key_lanes);
  }
}

}  // namespace

Scoring scoring_int8_vnni() {
  return {sizeof(Int8KeyBlock), pack_int8_keys, prepare, score};
}

}  // namespace engine::kernels

#pragma GCC pop_options
