#pragma once

#include <span>
#include <vector>

namespace engine {

// One input vector of a Dense layer and where its outputs go.
struct DenseRow {
  const float* in;  // [inputs]
  float* out;       // [Dense::outputs()]
};

// out = max(floor, weight · in + bias), float32: a linear layer, or a convolution whose frames lie
// one after the other in memory. Needs a CPU with AVX2 and FMA.
class Dense {
 public:
  // weight [n_out, inputs] row-major; bias [n_out], or empty for none.
  Dense(int inputs, std::span<const float> weight, std::span<const float> bias);

  // Whole panels of 16: the outputs beyond the layer's own come from zero weights.
  int outputs() const { return static_cast<int>(bias_.size()); }

  // As a layer with ReLU. What is no number becomes 0, so it does not outlive its row.
  void apply_relu(std::span<const DenseRow> rows) const;
  // As a plain layer; what is no number becomes the lowest one.
  void apply(std::span<const DenseRow> rows) const;

 private:
  void apply(std::span<const DenseRow> rows, float floor) const;

  int inputs_;
  std::vector<float> weight_;  // [panel][input][16]: read from front to back
  std::vector<float> bias_;
};

}  // namespace engine
