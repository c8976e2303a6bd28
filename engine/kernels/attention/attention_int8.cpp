#include "engine/kernels/attention/attention_int8.h"

#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "engine/kernels/largest_avx512.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")

namespace engine::kernels {
namespace {

constexpr int width = 16;  // numbers of 32 bits in a vector
constexpr int fours = head_dim / 4;
constexpr int query_zero = 128;

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

}  // namespace

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
      block.offset[at] = -query_zero * _mm512_reduce_add_epi32(sum);
    }
  }
}

void quantize_queries(TileState& tile, int rows) {
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

}  // namespace engine::kernels

#pragma GCC pop_options
