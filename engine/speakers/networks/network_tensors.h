#pragma once

#include <ATen/ATen.h>

#include <initializer_list>
#include <string>

#include "engine/speakers/speaker_files.h"

namespace engine {

// Loads the tensors of a network's file to a device, as float32. Throws engine::Exception where one
// is missing or has another shape.
class NetworkTensors {
 public:
  NetworkTensors(const NetworkFile& file, at::Device device) : file_(file), device_(device) {}

  bool has(const std::string& name) const { return file_.has(name); }
  at::Tensor load(const std::string& name, std::initializer_list<std::int64_t> shape) const;
  at::Device device() const { return device_; }

 private:
  const NetworkFile& file_;
  at::Device device_;
};

// A batch norm that is evaluated: one multiplication and one addition for each channel.
struct ChannelNorm {
  at::Tensor scale{};  // [channels]
  at::Tensor shift{};  // [channels]

  // x [..., channels] -> relu(x · scale + shift), contiguous
  at::Tensor relu(const at::Tensor& x) const;
};

// `name` is that of the batch norm; weight and bias may be missing in the file.
ChannelNorm load_norm(const NetworkTensors& tensors, const std::string& name,
                      std::int64_t channels);

// The weight of a layer and its bias.
struct Affine {
  at::Tensor weight{};
  at::Tensor bias{};
};

// Returns the layer that does what `weight` (its first dimension is the channels out), without a
// bias, and the norm after it do.
Affine folded(const at::Tensor& weight, const ChannelNorm& norm);

}  // namespace engine
