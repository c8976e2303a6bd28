#include "engine/kernels/decoder_attention/decoder_attention_write.h"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "engine/kernels/gemm/store_avx2.h"
#include "engine/kernels/largest_avx2.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

// Writes a row as int8 in ±127, and returns what one step is worth: NaN where the row is not all
// numbers.
float quantize(const float* row, std::int8_t* out) {
  __m256i largest = _mm256_setzero_si256();
  for (int i = 0; i < head_dim; i += 8) {
    largest = _mm256_max_epi32(largest, size_bits(_mm256_loadu_ps(row + i)));
  }
  const float maximum = std::max(largest_size(largest), 1e-30F);
  const __m256 inverse = _mm256_set1_ps(127.0F / maximum);
  for (int i = 0; i < head_dim; i += 8) {
    const __m256i whole = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(row + i), inverse));
    const __m128i words =
        _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out + i), _mm_packs_epi16(words, words));
  }
  return maximum / 127.0F;
}

// The same as quantize in bfloat16.
void round(const float* row, Bfloat16* out) {
  for (int i = 0; i < head_dim; i += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), to_bfloat16(_mm256_loadu_ps(row + i)));
  }
}

// Returns the first position of the block in which positions [first, first + count) end, where they
// begin it, too. What an earlier text has left behind them in it may be NaN, which a weight of 0
// does not silence; so it is cleared.
std::optional<int> begun_block(int first, int count) {
  const int begin = (first + count - 1) / key_lanes * key_lanes;
  return first <= begin ? std::optional(begin) : std::nullopt;
}

}  // namespace

void write_float32_keys(const KvRows& rows, int first, int count, float* keys) {
  for (int t = 0; t < count; ++t) {
    const int key = first + t;
    const float* row = rows.data + t * rows.stride;
    float* out =
        keys + std::ptrdiff_t{key / panel_width * panel_width} * head_dim + key % panel_width;
    for (int dim = 0; dim < head_dim; ++dim) out[dim * panel_width] = row[dim];
  }
}

void write_float32_values(const KvRows& rows, int first, int count, float* values) {
  if (const auto begun = begun_block(first, count)) {
    std::fill_n(values + std::ptrdiff_t{*begun} * head_dim, key_block_size, 0.0F);
  }
  for (int t = 0; t < count; ++t) {
    std::copy_n(rows.data + t * rows.stride, head_dim,
                values + std::ptrdiff_t{first + t} * head_dim);
  }
}

void write_bfloat16_keys(const KvRows& rows, int first, int count, Bfloat16* keys) {
  std::array<Bfloat16, head_dim> row;
  for (int t = 0; t < count; ++t) {
    round(rows.data + t * rows.stride, row.data());
    for (int dim = 0; dim < head_dim; dim += 2) {
      std::memcpy(keys + packed_key_index(first + t, dim), row.data() + dim, 2 * sizeof(Bfloat16));
    }
  }
}

void write_bfloat16_values(const KvRows& rows, int first, int count, Bfloat16* values) {
  if (const auto begun = begun_block(first, count)) {
    std::fill_n(values + packed_value_index(*begun, 0), key_block_size, Bfloat16{0});
  }
  std::array<Bfloat16, head_dim> row;
  for (int t = 0; t < count; ++t) {
    round(rows.data + t * rows.stride, row.data());
    Bfloat16* out = values + packed_value_index(first + t, 0);
    for (int dim = 0; dim < head_dim; ++dim) out[2 * dim] = row[static_cast<std::size_t>(dim)];
  }
}

void write_int8_keys(const KvRows& rows, int first, int count, std::uint8_t* keys, float* scale) {
  std::array<std::int8_t, head_dim> row;
  for (int t = 0; t < count; ++t) {
    const int key = first + t;
    scale[key] = quantize(rows.data + t * rows.stride, row.data());
    std::uint8_t* out =
        keys + static_cast<std::size_t>(key / key_lanes) * key_block_size + key % key_lanes * 4;
    for (int dim = 0; dim < head_dim; dim += 4, out += 4 * key_lanes) {
      std::uint32_t four;
      std::memcpy(&four, row.data() + dim, sizeof(four));
      four ^= 0x80808080;  // + 128
      std::memcpy(out, &four, sizeof(four));
    }
  }
}

void write_int8_values(const KvRows& rows, int first, int count, std::int8_t* values,
                       float* scale) {
  if (const auto begun = begun_block(first, count)) std::fill_n(scale + *begun, key_lanes, 0.0F);
  std::array<std::int8_t, head_dim> row;
  for (int t = 0; t < count; ++t) {
    const int key = first + t;
    scale[key] = quantize(rows.data + t * rows.stride, row.data());
    std::int8_t* out = values + std::ptrdiff_t{key / 4 * 4} * head_dim + key % 4;
    for (int dim = 0; dim < head_dim; ++dim) out[4 * dim] = row[static_cast<std::size_t>(dim)];
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
