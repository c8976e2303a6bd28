#pragma once

#include <cstddef>

#include "engine/kernels/bfloat16.h"

namespace engine::kernels {

// These kernels compute heads of this width alone.
constexpr int head_dim = 64;

// One head's keys and values in bfloat16, as all kernels read values, and those without VNNI keys:
//   keys    [blocks, 32, 16, 2]  blocks of 16 keys; dimensions 2i and 2i+1 of a key together
//   values  [pairs, 64, 2]       dimension d of the keys 2i and 2i+1 together
// so that a vector holds the same two terms of 16 dot products and none is added across lanes. Both
// are whole blocks: the memory of keys beyond the last is read but has no effect as long as it is
// finite.
constexpr int key_lanes = 16;
constexpr std::size_t key_block_size = std::size_t{key_lanes} * head_dim;

constexpr int key_blocks(int n_key) {
  return (n_key + key_lanes - 1) / key_lanes;
}

// Returns the elements of the packed keys of one head, or of its packed values.
constexpr std::size_t packed_head_size(int n_key) {
  return static_cast<std::size_t>(key_blocks(n_key)) * key_block_size;
}

constexpr std::size_t packed_key_index(int key, int dim) {
  return static_cast<std::size_t>(key / key_lanes) * key_block_size +
         static_cast<std::size_t>((dim / 2 * key_lanes + key % key_lanes) * 2 + dim % 2);
}

constexpr std::size_t packed_value_index(int key, int dim) {
  return static_cast<std::size_t>(key / 2) * 2 * head_dim +
         static_cast<std::size_t>(dim * 2 + key % 2);
}

// The rows of one head, one every `stride` elements.
struct HeadRows {
  const Bfloat16* data = nullptr;
  std::ptrdiff_t stride = 0;
  int count = 0;

  const Bfloat16* row(int i) const { return data + i * stride; }
};

// Pack the rows of the blocks [first, last) of 16; what is missing in the last is zero.
void pack_keys(const HeadRows& keys, int first, int last, std::byte* packed);
void pack_values(const HeadRows& values, int first, int last, std::byte* packed);

}  // namespace engine::kernels
