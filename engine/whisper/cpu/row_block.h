#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/bfloat16.h"
#include "engine/kernels/rows.h"
#include "engine/kernels/thread_pool.h"
#include "engine/whisper/cpu/matrix.h"

namespace engine::cpu {

// Returns the numbers in `rows` rows of a matrix, and so where the next row begins.
inline std::size_t area(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

// One thread's working memory for some rows on their way through linear layers.
class RowBlock {
 public:
  // The size is small enough that the rows and what they are multiplied with stay in the second
  // cache, and it is whole tiles of the kernels.
  static constexpr int size = 48;
  // The height of the kernels' tiles (AMX), or more than it.
  static constexpr int tile = 16;
  static_assert(size % tile == 0);

  // Returns the rows of `count` that thread `index` of `threads` takes. They are whole tiles, which
  // are finer than blocks: 32 blocks of a window would leave 24 threads idle a third of their time.
  static kernels::Span share(int count, int index, int threads);

  // widest: the longest row that goes into a linear layer, n_state or 4·n_state.
  RowBlock(int n_state, int widest);

  // Brings some of the rows of x [.., n], with `stride` from one to the next, to the type of the
  // weight that they are multiplied with: quantized, rounded, or as they are, where they lie.
  // Returns all rows from row 0 on; several threads may each bring some of them.
  Rows prepare(const float* x, kernels::Span rows, int n, std::ptrdiff_t stride,
               const Matrix& weight);
  // This one does so after a layer norm.
  Rows normalize(const float* x, kernels::Span rows, int n, const kernels::LayerNormWeights& norm,
                 const Matrix& weight);

  // Adds to `out` the products of rows [rows, width] with a layer that is in parts of its inputs.
  void add_products(const kernels::Kernels& kernels, const float* x, int rows, int width,
                    const std::vector<Matrix>& parts, kernels::Panels panels, float* out,
                    std::ptrdiff_t stride);

  // Returns room [size, widest] for what lies between two layers.
  float* between() { return between_.data(); }

 private:
  kernels::AlignedVector<std::uint8_t> bytes_;
  kernels::AlignedVector<float> scales_;
  kernels::AlignedVector<float> zeros_;
  kernels::AlignedVector<kernels::Bfloat16> halves_;
  kernels::AlignedVector<float> normal_;  // [size, n_state]
  kernels::AlignedVector<float> between_;
};

}  // namespace engine::cpu
