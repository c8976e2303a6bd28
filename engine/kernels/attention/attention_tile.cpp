#include "engine/kernels/attention/attention_tile.h"

#include <algorithm>
#include <limits>

namespace engine::kernels {
namespace {

// Queries and outputs of a layer are larger than the second cache and lie on other pages row by
// row. The output is asked for before it is needed, and likely the next tile's queries.
void prefetch(const AttentionTile& tile, int tile_queries) {
  constexpr std::ptrdiff_t line = 64;
  for (int r = 0; r < tile.queries.count; ++r) {
    const auto* query =
        reinterpret_cast<const std::byte*>(tile.queries.row(r)) +
        tile_queries * tile.queries.stride * static_cast<std::ptrdiff_t>(sizeof(Bfloat16));
    const auto* out = reinterpret_cast<const std::byte*>(tile.out + r * tile.out_stride);
    for (std::ptrdiff_t i = 0; i < 2; ++i) __builtin_prefetch(query + i * line);
    for (std::ptrdiff_t i = 0; i < 4; ++i) __builtin_prefetch(out + i * line, 1);
  }
}

}  // namespace

void attend(const TileKernel& kernel, const AttentionTile& tile, TileState& state) {
  prefetch(tile, kernel.queries);
  for (int r = 0; r < kernel.queries; ++r) {
    std::copy_n(tile.queries.row(std::min(r, tile.queries.count - 1)), head_dim,
                state.queries.data() + r * head_dim);
  }
  if (kernel.scoring.prepare != nullptr) kernel.scoring.prepare(state);
  state.maximum.fill(-std::numeric_limits<float>::infinity());
  state.sum.fill(0.0F);
  state.values.fill(0.0F);
  for (int key = 0; key < tile.n_key; key += kernel.keys) {
    const int count = std::min(kernel.keys, tile.n_key - key);
    const auto block = static_cast<std::size_t>(key / key_lanes);
    kernel.scoring.score(state, tile.keys + block * kernel.scoring.key_block_bytes,
                         key_blocks(count));
    add_bias(tile.bias, key, count, kernel.queries, state.scores.data(), kernel.keys);
    kernel.soften(state, count);
    kernel.summing.add_values(state, tile.values + block * kernel.summing.value_block_bytes,
                              (count + 1) / 2);
  }
  for (int r = 0; r < tile.queries.count; ++r) {
    const float inverse = 1.0F / state.sum[static_cast<std::size_t>(r)];
    std::array<float, head_dim> row;
    for (int i = 0; i < head_dim; ++i) {
      row[static_cast<std::size_t>(i)] =
          state.values[static_cast<std::size_t>(r * head_dim + i)] * inverse;
    }
    std::copy(row.begin(), row.end(), tile.out + r * tile.out_stride);
  }
}

}  // namespace engine::kernels
