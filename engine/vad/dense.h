#pragma once

#include <span>
#include <vector>

namespace engine {

// One input vector of a Dense layer, and the target of its outputs.
struct DenseRow {
  const float* in;  // [inputs]
  float* out;       // [Dense::outputs()]
};

// Computes out = max(floor, weight · in + bias) in float32: a linear layer, or a convolution whose
// frames lie one after the other in memory. It needs a CPU with AVX2 and
// FMA, or an arm64 one.
class Dense {
 public:
  // `weight` is [n_out, inputs] row-major; `bias` is [n_out], or empty for none.
  Dense(int inputs, std::span<const float> weight, std::span<const float> bias);

  // Says whether this CPU can compute it.
  static bool runs_here();

  // Returns the number of outputs in whole panels of 16: those beyond the layer's own come from
  // zero weights.
  int outputs() const { return static_cast<int>(bias_.size()); }

  // Applies the layer with ReLU. NaN becomes 0, so it does not outlive its row.
  void apply_relu(std::span<const DenseRow> rows) const;
  // Applies the layer without an activation; NaN becomes the lowest number.
  void apply(std::span<const DenseRow> rows) const;

 private:
  void apply(std::span<const DenseRow> rows, float floor) const;

  int inputs_;
  std::vector<float> weight_;  // [panel][input][16]: read from front to back
  std::vector<float> bias_;
};

}  // namespace engine
