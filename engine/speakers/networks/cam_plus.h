#pragma once

#include <ATen/ATen.h>

#include <array>
#include <optional>
#include <vector>

#include "engine/speakers/networks/network_tensors.h"

namespace engine {

// CAM++ (Wang et al. 2023, 3D-Speaker): a voice as 192 numbers. A small residual network over time
// and frequency, then a densely connected one over time, whose layers are masked by what they hear
// around. Batch norms are folded into the layers before them. Immutable; any number of threads may
// call it at once.
class CamPlus {
 public:
  explicit CamPlus(const NetworkTensors& tensors);

  // All of a batch must be equally long: padding would be heard as context.
  //   features  [batch, frames, fbank_bins]  the mean over the frames is taken off, float32
  //   returns   [batch, embedding_size]
  at::Tensor operator()(const at::Tensor& features) const;

 private:
  // Two convolutions over frequency and time, with a way around them.
  struct ResidualBlock {
    Affine first{};
    Affine second{};
    std::optional<Affine> shortcut{};
    std::int64_t stride = 1;  // over frequency

    at::Tensor operator()(const at::Tensor& x) const;
  };

  // A layer of a dense block: it appends 32 channels to those it reads.
  struct DenseLayer {
    ChannelNorm norm{};  // of what it reads
    Affine bottleneck{};
    at::Tensor local{};  // [32, 3 · 128]
    Affine context{};
    Affine gate{};
    std::int64_t dilation = 1;

    at::Tensor operator()(const at::Tensor& x) const;
    void mask(const at::Tensor& heard, const at::Tensor& y) const;
  };

  // Dense layers, and a layer that halves their channels.
  struct DenseBlock {
    std::vector<DenseLayer> layers{};
    ChannelNorm norm{};
    at::Tensor transit{};

    at::Tensor operator()(const at::Tensor& x) const;
  };

  static ResidualBlock load_residual(const NetworkTensors& tensors, const std::string& name,
                                     std::int64_t stride);
  static DenseLayer load_layer(const NetworkTensors& tensors, const std::string& name,
                               std::int64_t channels, std::int64_t dilation);
  static DenseBlock load_block(const NetworkTensors& tensors, int number, std::int64_t channels,
                               int layers, std::int64_t dilation);
  at::Tensor head(const at::Tensor& features) const;

  Affine conv1_;
  std::vector<ResidualBlock> residual_;
  Affine conv2_;
  Affine tdnn_;
  std::vector<DenseBlock> blocks_;
  ChannelNorm out_;
  Affine dense_;
};

}  // namespace engine
