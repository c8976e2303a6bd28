#pragma once

#include <ATen/ATen.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/speakers/networks/network_tensors.h"

// The weights of CAM++ with its batch norms folded into the layers before them; those in front of a
// layer stay by themselves.
namespace engine {

namespace cam_plus {
constexpr int head_channels = 32;
constexpr int head_lines = 10;  // frequencies that the head leaves
constexpr int tdnn_channels = 128;
constexpr int tdnn_frames = 5;
constexpr int bottleneck_channels = 128;
constexpr int growth = 32;
constexpr int context_channels = 64;
constexpr int out_channels = 512;
}  // namespace cam_plus

// Two convolutions over frequency and time, with a way around them.
struct ResidualWeights {
  Affine first{};                    // [32, 32, 3, 3]
  Affine second{};                   // [32, 32, 3, 3]
  std::optional<Affine> shortcut{};  // [32, 32, 1, 1]
  std::int64_t stride = 1;           // over frequency
};

// A layer of a dense block: it appends 32 channels to those it reads.
struct DenseLayerWeights {
  ChannelNorm norm{};   // of what it reads
  Affine bottleneck{};  // [128, channels]
  at::Tensor local{};   // [32, 3 · 128], the moments before, now and after
  Affine context{};     // [64, 128]
  Affine gate{};        // [32, 64]
  std::int64_t dilation = 1;
};

// Dense layers, and a layer that halves their channels.
struct DenseBlockWeights {
  std::vector<DenseLayerWeights> layers{};
  ChannelNorm norm{};
  at::Tensor transit{};  // [channels / 2, channels]
};

struct CamPlusWeights {
  explicit CamPlusWeights(const NetworkTensors& tensors);

  Affine conv1;  // [32, 1, 3, 3]
  std::vector<ResidualWeights> residual;
  Affine conv2;  // [32, 32, 3, 3]
  Affine tdnn;   // [128, 320, 5]
  std::vector<DenseBlockWeights> blocks;
  ChannelNorm out;
  Affine dense;  // [embedding_size, 1024]
};

}  // namespace engine
