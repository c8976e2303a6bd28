#pragma once

#include <ATen/ATen.h>

#include "engine/speakers/networks/cam_plus_weights.h"

namespace engine {

// CAM++ (Wang et al. 2023, 3D-Speaker): a voice as 192 numbers. A small residual network over time
// and frequency, then a densely connected one over time, whose layers are masked by what they hear
// around. Immutable; any number of threads may call it at once. On a CPU PackedCamPlus is faster.
class CamPlus {
 public:
  explicit CamPlus(const CamPlusWeights& weights) : weights_(weights) {}

  // All of a batch must be equally long: padding would be heard as context.
  //   features  [batch, frames, fbank_bins]  the mean over the frames is taken off, float32
  //   returns   [batch, embedding_size]
  at::Tensor operator()(const at::Tensor& features) const;

 private:
  at::Tensor head(const at::Tensor& features) const;

  CamPlusWeights weights_;
};

}  // namespace engine
