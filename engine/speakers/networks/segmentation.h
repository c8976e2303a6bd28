#pragma once

#include <ATen/ATen.h>

#include <array>
#include <vector>

#include "engine/speakers/networks/network_tensors.h"

namespace engine {

// PyanNet, the segmentation network of pyannote ("segmentation-3.0", Plaquet and Bredin 2023):
// SincNet, an LSTM in both directions, and a class for each set of voices. Immutable; any number of
// threads may call it at once.
class Segmentation {
 public:
  explicit Segmentation(const NetworkTensors& tensors);

  // The norms take their statistics from the whole window, so a window cannot be computed in parts.
  //   windows  [batch, speaker_window]        samples in [-1, 1], float32 on the device
  //   returns  [batch, frames_per_window, 7]  log probabilities of the classes of `powerset`
  at::Tensor operator()(const at::Tensor& windows) const;

 private:
  // Convolution, pooling by three, norm and leaky ReLU.
  struct Stage {
    Affine convolution;
    Affine norm;
  };
  at::Tensor sincnet(const at::Tensor& windows) const;

  Affine sound_norm_;
  at::Tensor filters_;  // [80, 1, 251]
  Affine filters_norm_;
  std::array<Stage, 2> stages_;
  std::vector<at::Tensor> lstm_;  // for each layer and direction: input, state, and their biases
  std::array<Affine, 2> linear_;
  Affine classifier_;
};

}  // namespace engine
