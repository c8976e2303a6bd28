#include <arm_neon.h>

#include <algorithm>
#include <cstring>

#include "engine/kernels/attention/attention_tile.h"
#include "engine/kernels/rows.h"

#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod")

namespace engine::kernels {
namespace {

constexpr int width = 4;                    // keys of a vector
constexpr int vectors = key_lanes / width;  // of a block
constexpr int inputs = 16;                  // dimensions of a query that a vector holds
constexpr int rows = tile_queries;

// A block has 16 keys in 8 bits, each ≈ scale·weight: four neighbouring dimensions of a key are
// multiplied at once. Both sides have a sign, so that nothing is taken back as on x86_64.
struct alignas(64) SignedKeyBlock {
  std::array<std::int8_t, key_block_size> weight;  // [16, 16, 4]
  std::array<float, key_lanes> scale;
};

// Writes a row in ±127, and returns what one step is worth.
float quantize(const Bfloat16* row, std::int8_t* out) {
  std::array<float, head_dim> floats;
  std::transform(row, row + head_dim, floats.begin(), to_float);
  return quantize_signed(floats.data(), head_dim, out);
}

void pack(const HeadRows& keys, int first, int last, std::byte* packed) {
  auto* blocks = reinterpret_cast<SignedKeyBlock*>(packed);
  for (int i = first; i < last; ++i) {
    SignedKeyBlock& block = blocks[i];
    block = {};
    const int count = std::min(key_lanes, keys.count - i * key_lanes);
    for (int lane = 0; lane < count; ++lane) {
      std::array<std::int8_t, head_dim> bytes;
      block.scale[static_cast<std::size_t>(lane)] =
          quantize(keys.row(i * key_lanes + lane), bytes.data());
      for (int dim = 0; dim < head_dim; dim += 4) {
        std::memcpy(block.weight.data() + dim * key_lanes + lane * 4, bytes.data() + dim, 4);
      }
    }
  }
}

// The queries' bytes are those of numbers with a sign.
std::int8_t* bytes_of(TileState& tile) {
  return reinterpret_cast<std::int8_t*>(tile.query_bytes.data());
}

void prepare(TileState& tile) {
  for (int r = 0; r < rows; ++r) {
    tile.query_scale[static_cast<std::size_t>(r)] =
        quantize(tile.queries.data() + r * head_dim, bytes_of(tile) + r * head_dim);
  }
}

// Multiplies one four of each query's dimensions with those of 16 keys.
template <int four>
[[gnu::always_inline]] inline void add_products(const std::int8_t* keys, const int8x16_t (&x)[rows],
                                                int32x4_t (&sums)[rows][vectors]) {
#pragma GCC unroll 8
  for (int v = 0; v < vectors; ++v) {
    const int8x16_t key = vld1q_s8(keys + four * 4 * key_lanes + v * 4 * width);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) sums[r][v] = vdotq_laneq_s32(sums[r][v], key, x[r], four);
  }
}

void score_block(TileState& tile, const SignedKeyBlock& block, float* scores) {
  int32x4_t sums[rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sums[r][v] = vdupq_n_s32(0);
  }
  for (int dim = 0; dim < head_dim; dim += inputs) {
    int8x16_t x[rows];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) x[r] = vld1q_s8(bytes_of(tile) + r * head_dim + dim);
    const std::int8_t* keys = block.weight.data() + dim * key_lanes;
    add_products<0>(keys, x, sums);
    add_products<1>(keys, x, sums);
    add_products<2>(keys, x, sums);
    add_products<3>(keys, x, sums);
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
    const float scale = tile.query_scale[static_cast<std::size_t>(r)];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      const float32x4_t factor = vmulq_n_f32(vld1q_f32(block.scale.data() + v * width), scale);
      vst1q_f32(scores + r * tile_keys + v * width, vmulq_f32(vcvtq_f32_s32(sums[r][v]), factor));
    }
  }
}

void score(TileState& tile, const std::byte* packed, int blocks) {
  const auto* keys = reinterpret_cast<const SignedKeyBlock*>(packed);
  for (int block = 0; block < blocks; ++block) {
    score_block(tile, keys[block], tile.scores.data() + block * key_lanes);
  }
}

}  // namespace

Scoring scoring_int8_neon_dotprod() {
  return {sizeof(SignedKeyBlock), pack, prepare, score};
}

}  // namespace engine::kernels

#pragma GCC pop_options
