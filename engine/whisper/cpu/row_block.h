#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/bfloat16.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/rows.h"

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

  // widest: the longest row that is quantized, n_state or 4·n_state.
  RowBlock(int n_state, int widest);

  // Quantizes rows [rows, n] with `stride` from one to the next, as a linear layer takes them.
  kernels::Int8Rows quantize(const float* x, int rows, int n, std::ptrdiff_t stride);
  // This one quantizes after a layer norm.
  kernels::Int8Rows normalize(const float* x, int rows, int n,
                              const kernels::LayerNormWeights& norm);

  // These two round to bfloat16.
  kernels::Bfloat16Rows round(const float* x, int rows, int n);
  kernels::Bfloat16Rows normalize_and_round(const float* x, int rows, int n,
                                            const kernels::LayerNormWeights& norm);

  // Returns room [size, widest] for what lies between two layers.
  float* between() { return between_.data(); }

 private:
  kernels::Int8Rows quantized() const { return {bytes_.data(), scales_.data(), zeros_.data()}; }

  kernels::AlignedVector<std::uint8_t> bytes_;
  kernels::AlignedVector<float> scales_;
  kernels::AlignedVector<float> zeros_;
  kernels::AlignedVector<kernels::Bfloat16> halves_;  // [size, n_state]
  kernels::AlignedVector<float> normal_;              // [n_state]
  kernels::AlignedVector<float> between_;
};

}  // namespace engine::cpu
