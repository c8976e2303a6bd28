#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/kernels/attention/attention_tile.h"

namespace engine::kernels {

// A block has 16 keys in 8 bits, each ≈ scale·weight: four neighbouring dimensions of a key are the
// 32 bits that VNNI and AMX multiply at once.
struct alignas(64) Int8KeyBlock {
  std::array<std::int8_t, key_block_size> weight;  // [16, 16, 4]
  std::array<float, key_lanes> scale;
  std::array<std::int32_t, key_lanes> offset;  // takes back that queries' bytes are 128 too large
};

// Packs the rows of the blocks [first, last) of 16 as such blocks. It needs AVX512-VNNI, as all
// here.
void pack_int8_keys(const HeadRows& keys, int first, int last, std::byte* packed);

// Makes query_bytes and query_scale of the first `rows` queries.
void quantize_queries(TileState& tile, int rows);

}  // namespace engine::kernels
