#include "engine/kernels/decoder_attention/decoder_attention_write.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "engine/kernels/gemm/packed_matrix.h"
#include "engine/kernels/rows.h"

namespace engine::kernels {
namespace {

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
    round(rows.data + t * rows.stride, head_dim, row.data());
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
    round(rows.data + t * rows.stride, head_dim, row.data());
    Bfloat16* out = values + packed_value_index(first + t, 0);
    for (int dim = 0; dim < head_dim; ++dim) out[2 * dim] = row[static_cast<std::size_t>(dim)];
  }
}

void write_int8_keys(const KvRows& rows, int first, int count, std::uint8_t* keys, float* scale) {
  std::array<std::int8_t, head_dim> row;
  for (int t = 0; t < count; ++t) {
    const int key = first + t;
    scale[key] = quantize_signed(rows.data + t * rows.stride, head_dim, row.data());
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
    scale[key] = quantize_signed(rows.data + t * rows.stride, head_dim, row.data());
    std::int8_t* out = values + std::ptrdiff_t{key / 4 * 4} * head_dim + key % 4;
    for (int dim = 0; dim < head_dim; ++dim) out[4 * dim] = row[static_cast<std::size_t>(dim)];
  }
}

}  // namespace engine::kernels
