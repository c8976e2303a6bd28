#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/kernels/attention/attention_layout.h"
#include "engine/kernels/attention/key_bias.h"
#include "engine/kernels/isa.h"

namespace engine::kernels {

// Kernels in vectors take so many queries at a time, and so many keys between two corrections of
// their running sums. The scores of a tile and a block of keys stay in the first cache.
constexpr int tile_queries = 6;
constexpr int tile_keys = 768;
// No kernel takes more queries than these, nor has more scores at a time.
constexpr int most_tile_queries = 16;
constexpr int most_tile_scores = 6144;
static_assert(tile_queries * tile_keys <= most_tile_scores);

// A tile is some queries of one head, at most as many as the kernel takes, against all of its keys.
struct AttentionTile {
  HeadRows queries;                   // already scaled
  const std::byte* keys = nullptr;    // packed by the kernel
  const std::byte* values = nullptr;  // packed by the kernel
  int n_key = 0;                      // at least 1
  float* out = nullptr;               // [queries, head_dim], one row every out_stride
  std::ptrdiff_t out_stride = 0;
  KeyBias bias{};
};

// The state of a tile from one block of keys to the next. Rows beyond a tile's own repeat its last
// one.
struct alignas(64) TileState {
  std::array<float, 16> maximum;               // of a row's scores so far
  std::array<float, 16> sum;                   // of e^(score - maximum) so far
  std::array<float, 16> scale;                 // what the new maximum makes of the sums before
  std::array<float, most_tile_scores> scores;  // then the probabilities
  std::array<float, std::size_t{most_tile_queries} * head_dim> values;  // summed by probability
  std::array<Bfloat16, std::size_t{most_tile_queries} * head_dim> queries;
  // These are the queries where a kernel reads them in 8 bits, each row ≈ scale·(byte - 128), or on
  // arm64 scale·byte with a sign.
  std::array<std::uint8_t, std::size_t{most_tile_queries} * head_dim> query_bytes;
  std::array<float, most_tile_queries> query_scale;
};

// The way queries meet keys, in the precision of the kernel's choice.
struct Scoring {
  std::size_t key_block_bytes;  // of 16 packed keys
  // Packs the rows of the blocks [first, last) of 16; what is missing in the last is zero.
  void (*pack_keys)(const HeadRows& keys, int first, int last, std::byte* packed);
  // It is called once the state has its queries; null where they are read as they are.
  void (*prepare)(TileState& tile);
  // Computes scores = queries·Kᵀ over `blocks` of 16 keys.
  void (*score)(TileState& tile, const std::byte* keys, int blocks);
};

// The way values are summed by probability.
struct Summing {
  std::size_t value_block_bytes;  // of 16 packed values
  // Packs the rows of the blocks [first, last) of 16, which are fours of blocks; what is missing is
  // zero.
  void (*pack_values)(const HeadRows& values, int first, int last, std::byte* packed);
  // Computes values = scale·values + scores·V over pairs of keys. What lies behind them, up to a
  // multiple of 16 pairs, may be read too.
  void (*add_values)(TileState& tile, const std::byte* values, int pairs);
};

// Returns how a kernel sums that reads values in bfloat16.
constexpr Summing sum_bfloat16(decltype(Summing::add_values) add_values) {
  return {key_block_size * sizeof(Bfloat16), pack_values, add_values};
}

// The steps of a tile and a block of keys.
struct TileKernel {
  Scoring scoring;
  // Computes scores = e^(score - maximum) over n_key keys, as the kernel multiplies them; updates
  // maximum, sum and scale.
  void (*soften)(TileState& tile, int n_key);
  Summing summing;
  int queries = tile_queries;
  int keys = tile_keys;  // between two corrections, a multiple of 64
};

TileKernel tile_kernel_avx2();
TileKernel tile_kernel_avx512();
TileKernel tile_kernel_avx512_bf16();
TileKernel tile_kernel_amx();
TileKernel tile_kernel_neon();
TileKernel tile_kernel(Isa isa);

// These scores are in 8 bits, each query and each key with a scale of its own: SageAttention (Zhang
// et al. 2024) without its smoothing, as Whisper's keys have no bias that would need it. They cost
// 0.4 % of a layer's output; bfloat16 costs 0.15 %.
Scoring scoring_int8_vnni();
Scoring scoring_int8_neon_dotprod();

// Computes softmax(q·Kᵀ + bias)·V, block by block with the running maximum and sums of
// FlashAttention (Dao et al. 2022).
void attend(const TileKernel& kernel, const AttentionTile& tile, TileState& state);

}  // namespace engine::kernels
