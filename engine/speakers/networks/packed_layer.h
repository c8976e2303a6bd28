#pragma once

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>

#include "engine/device/compute_type.h"
#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/kernels.h"

namespace engine {

// Returns the bytes that an input of a layer has: 4 for float32, 2 for bfloat16, 1 for int8.
std::size_t input_bytes(ComputeType type);

// Returns the numbers in `rows` rows of a matrix, and so where the next row begins.
inline std::size_t area(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

// Rows of a layer's inputs in the type of its weights, one after the other. In int8 each has a
// scale.
class LayerRows {
 public:
  LayerRows(ComputeType type, int rows, int widest);

  // Begins with rows of another length, `widest` at most; what they hold is unspecified.
  void set_width(int width) { width_ = width; }

  // Takes row `row` from floats, and with a scale of its own.
  void put(int row, const float* x);

  // Returns the row's bytes, for who writes them, and in int8 their scale: x = scale·q.
  std::byte* bytes(int row);
  void set_scale(int row, float scale);

 private:
  friend class PackedLayer;

  ComputeType type_;
  int width_;
  kernels::AlignedVector<std::byte> bytes_;
  kernels::AlignedVector<float> scales_;
  kernels::AlignedVector<float> zeros_;
};

// A linear layer in float32, bfloat16 or int8, as this CPU's kernels read it. A row's outputs do
// not hang on the rows beside it. Immutable.
class PackedLayer {
 public:
  // Throws where the CPU has no AVX2.
  //   weight  [n_out, n_in]
  //   bias    [n_out], or undefined
  PackedLayer(ComputeType type, const at::Tensor& weight, const at::Tensor& bias);

  // Outputs are whole panels of 64, with zeros after those of the layer.
  //   x       [rows, n_in]
  //   out     with `stride` from row to row
  void operator()(const LayerRows& x, int rows, float* out, std::ptrdiff_t stride) const;

  // Takes rows of floats where they lie, `x_stride` apart; they may overlap, as a convolution's do.
  // The type must be float32.
  void floats(const float* x, std::ptrdiff_t x_stride, int rows, float* out, std::ptrdiff_t stride,
              kernels::Store store = kernels::Store::float32) const;

  int n_in() const { return n_in_; }

 private:
  ComputeType type_;
  int n_in_;
  int n_out_;  // whole panels
  kernels::Kernels kernels_;
  kernels::AlignedVector<std::byte> weight_;
  kernels::AlignedVector<float> bias_;
  kernels::AlignedVector<float> scale_;  // these two are for int8
  kernels::AlignedVector<float> sum_;
};

}  // namespace engine
