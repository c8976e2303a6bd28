#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "engine/kernels/attention/attention_int16.h"
#include "engine/kernels/attention/attention_math_avx2.h"
#include "engine/kernels/largest_avx2.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

constexpr int width = 8;

__m256 load_8(const Bfloat16* numbers) {
  const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(numbers));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16));
}

// Writes the row in steps of its largest number, and returns a step: NaN where the row is not all
// numbers.
float quantize_row(const Bfloat16* row, std::int16_t* out) {
  __m256i largest = _mm256_setzero_si256();
  for (int i = 0; i < head_dim; i += width) {
    largest = _mm256_max_epi32(largest, size_bits(load_8(row + i)));
  }
  const float maximum = std::max(largest_size(largest), 1e-30F);
  const __m256 inverse = _mm256_set1_ps(key_steps / maximum);
  for (int i = 0; i < head_dim; i += width) {
    const __m256i whole = _mm256_cvtps_epi32(_mm256_mul_ps(load_8(row + i), inverse));
    const __m128i narrow =
        _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), narrow);
  }
  return maximum / key_steps;
}

// Packs eight dimensions, from `dim` on, of the values from `first` on.
void pack_dimensions(const HeadRows& values, int first, int dim, Int16ValueBlock& block) {
  const int count = std::clamp(values.count - first, 0, Int16ValueBlock::keys);
  const auto load = [&](int key) {
    return key < count ? load_8(values.row(first + key) + dim) : _mm256_setzero_ps();
  };
  __m256i largest = _mm256_castps_si256(_mm256_set1_ps(1e-30F));
  for (int key = 0; key < count; ++key) largest = _mm256_max_epi32(largest, size_bits(load(key)));
  // A value that is infinite or NaN makes the whole dimension NaN.
  const __m256 maximum = _mm256_castsi256_ps(largest);
  const __m256 step = _mm256_div_ps(maximum, _mm256_set1_ps(value_steps));
  const __m256 inverse = _mm256_div_ps(_mm256_set1_ps(value_steps), maximum);
  const __m256 none = _mm256_sub_ps(maximum, maximum);  // 0, or NaN
  _mm256_storeu_ps(block.scale.data() + dim,
                   _mm256_fmadd_ps(step, _mm256_set1_ps(1.0F / probability_steps), none));
  for (int key = 0; key < Int16ValueBlock::keys; key += 2) {
    const __m256i even = _mm256_cvtps_epi32(_mm256_mul_ps(load(key), inverse));
    const __m256i odd = _mm256_cvtps_epi32(_mm256_mul_ps(load(key + 1), inverse));
    const __m256i pairs = _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xAA);
    _mm256_storeu_si256(
        reinterpret_cast<__m256i*>(block.weight.data() + packed_value_index(key, dim)), pairs);
  }
}

}  // namespace

void pack_int16_keys(const HeadRows& keys, int first, int last, std::byte* packed) {
  auto* blocks = reinterpret_cast<Int16KeyBlock*>(packed);
  for (int i = first; i < last; ++i) {
    Int16KeyBlock& block = blocks[i];
    block = {};
    const int count = std::min(key_lanes, keys.count - i * key_lanes);
    for (int lane = 0; lane < count; ++lane) {
      std::array<std::int16_t, head_dim> row;
      block.scale[static_cast<std::size_t>(lane)] =
          quantize_row(keys.row(i * key_lanes + lane), row.data());
      for (int dim = 0; dim < head_dim; dim += 2) {
        std::memcpy(block.weight.data() + packed_key_index(lane, dim), row.data() + dim, 4);
      }
    }
  }
}

void pack_int16_values(const HeadRows& values, int first, int last, std::byte* packed) {
  constexpr int blocks_of_keys = Int16ValueBlock::keys / key_lanes;
  auto* blocks = reinterpret_cast<Int16ValueBlock*>(packed);
  for (int i = first / blocks_of_keys; i < last / blocks_of_keys; ++i) {
    for (int dim = 0; dim < head_dim; dim += width) {
      pack_dimensions(values, i * Int16ValueBlock::keys, dim, blocks[i]);
    }
  }
}

void quantize_queries_int16(TileState& tile, int rows) {
  for (int r = 0; r < rows; ++r) {
    std::array<std::int16_t, head_dim> row;
    Bfloat16* query = tile.queries.data() + r * head_dim;
    tile.query_scale[static_cast<std::size_t>(r)] = quantize_row(query, row.data());
    std::memcpy(query, row.data(), sizeof(row));
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
