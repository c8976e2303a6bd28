#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/kernels/attention/attention_tile.h"
#include "engine/kernels/largest_avx512.h"
#include "engine/kernels/vectors_vnni.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")

namespace engine::kernels {
namespace {

constexpr int rows = tile_queries;
constexpr int width = 16;  // numbers of 32 bits in a vector
constexpr int fours = head_dim / 4;
constexpr int query_zero = 128;

// A block has 16 keys, each ≈ scale·weight.
struct alignas(64) Int8KeyBlock {
  std::array<std::int8_t, key_block_size> weight;  // [fours, 16, 4]
  std::array<float, key_lanes> scale;
  std::array<std::int32_t, key_lanes> surplus;  // what query_zero adds to a sum
};

// A row in steps of 1/127 of its largest value; scale is NaN where the row is not all numbers.
struct Quantized {
  __m512i q[fours / 4];
  float scale;
};

Quantized quantize(const Bfloat16* row) {
  __m512 x[fours / 4];
  __m512i largest = _mm512_setzero_si512();
#pragma GCC unroll 4
  for (int i = 0; i < fours / 4; ++i) {
    const __m256i half = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + i * width));
    x[i] = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16));
    largest = _mm512_max_epi32(largest, size_bits(x[i]));
  }
  const float maximum = std::max(largest_size(largest), 1e-30F);
  const __m512 inverse = _mm512_set1_ps(127 / maximum);
  Quantized result;
  result.scale = maximum / 127;
#pragma GCC unroll 4
  for (int i = 0; i < fours / 4; ++i) {
    result.q[i] = _mm512_cvtps_epi32(_mm512_mul_ps(x[i], inverse));
  }
  return result;
}

void pack_int8_keys(const HeadRows& keys, int first, int last, std::byte* packed) {
  auto* blocks = reinterpret_cast<Int8KeyBlock*>(packed);
  for (int i = first; i < last; ++i) {
    Int8KeyBlock& block = blocks[i];
    block = {};
    const int count = std::min(key_lanes, keys.count - i * key_lanes);
    for (int lane = 0; lane < count; ++lane) {
      const Quantized key = quantize(keys.row(i * key_lanes + lane));
      alignas(16) std::array<std::int8_t, head_dim> bytes;
      __m512i sum = _mm512_setzero_si512();
      for (int v = 0; v < fours / 4; ++v) {
        sum = _mm512_add_epi32(sum, key.q[v]);
        _mm_store_si128(reinterpret_cast<__m128i*>(bytes.data() + v * width),
                        _mm512_cvtepi32_epi8(key.q[v]));
      }
      for (int four = 0; four < fours; ++four) {
        std::memcpy(block.weight.data() + (four * key_lanes + lane) * 4, bytes.data() + four * 4,
                    4);
      }
      const auto at = static_cast<std::size_t>(lane);
      block.scale[at] = key.scale;
      block.surplus[at] = query_zero * _mm512_reduce_add_epi32(sum);
    }
  }
}

void prepare(TileState& tile) {
  for (int r = 0; r < rows; ++r) {
    const Quantized query = quantize(tile.queries.data() + r * head_dim);
    tile.query_scale[static_cast<std::size_t>(r)] = query.scale;
    std::uint8_t* bytes = tile.query_bytes.data() + r * head_dim;
    for (int v = 0; v < fours / 4; ++v) {
      const __m512i shifted = _mm512_add_epi32(query.q[v], _mm512_set1_epi32(query_zero));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(bytes + v * width),
                       _mm512_cvtepi32_epi8(shifted));
    }
  }
}

[[gnu::always_inline]] inline void store(__m512i sums, const Int8KeyBlock& keys, __m512 query_scale,
                                         float* scores) {
  const __m512 factor = _mm512_mul_ps(_mm512_load_ps(keys.scale.data()), query_scale);
  const __m512i products = _mm512_sub_epi32(sums, _mm512_load_si512(keys.surplus.data()));
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
