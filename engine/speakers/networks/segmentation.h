#pragma once

#include <ATen/ATen.h>

#include <array>
#include <utility>
#include <vector>

#include "engine/speakers/networks/network_tensors.h"

namespace engine {

// Convolution, pooling by three, norm and leaky ReLU.
struct SegmentationStage {
  Affine convolution;
  Affine norm;
};

struct SegmentationWeights {
  explicit SegmentationWeights(const NetworkTensors& tensors);

  Affine sound_norm;
  at::Tensor filters;  // [80, 1, 251]
  Affine filters_norm;
  std::array<SegmentationStage, 2> stages;
  std::vector<at::Tensor> lstm;  // for each layer and direction: input, state, and their biases
  std::array<Affine, 2> linear;
  Affine classifier;
};

// PyanNet, the segmentation network of pyannote ("segmentation-3.0", Plaquet and Bredin 2023):
// SincNet, an LSTM in both directions, and a class for each set of voices. Immutable; any number of
// threads may call it at once. On a CPU PackedSegmentation is faster.
class Segmentation {
 public:
  explicit Segmentation(SegmentationWeights weights) : weights_(std::move(weights)) {}

  // The norms take their statistics from the whole window, so a window cannot be computed in parts.
  //   windows  [batch, speaker_window]        samples in [-1, 1], float32 on the device
  //   returns  [batch, frames_per_window, 7]  log probabilities of the classes of `powerset`
  at::Tensor operator()(const at::Tensor& windows) const;

 private:
  at::Tensor sincnet(const at::Tensor& windows) const;

  SegmentationWeights weights_;
};

}  // namespace engine
