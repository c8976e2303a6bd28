#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/kernels/attention/attention_tile.h"

// Without VNNI a CPU multiplies pairs of 16-bit integers twice as fast as floats. They are finer
// than the bfloat16 that comes in.
namespace engine::kernels {

// Products of so many steps of a query and of a key, 64 of them, fit 32 bits.
constexpr int key_steps = 4095;
// And so do 64 products of a probability and a value.
constexpr int probability_steps = 32767;
constexpr int value_steps = 1023;

// A block has 16 keys, each ≈ scale·weight, in the layout of bfloat16.
struct alignas(64) Int16KeyBlock {
  std::array<std::int16_t, key_block_size> weight;
  std::array<float, key_lanes> scale;
};

// A block has 64 values: a dimension of them is ≈ scale·weight·probability_steps.
struct alignas(64) Int16ValueBlock {
  static constexpr int keys = 64;
  std::array<std::int16_t, std::size_t{keys} * head_dim> weight;
  std::array<float, head_dim> scale;  // by dimension
};

// Pack the rows of the blocks [first, last) of 16.
void pack_int16_keys(const HeadRows& keys, int first, int last, std::byte* packed);
void pack_int16_values(const HeadRows& values, int first, int last, std::byte* packed);

// Makes integers of the first `rows` queries, in their place, and query_scale.
void quantize_queries_int16(TileState& tile, int rows);

}  // namespace engine::kernels
