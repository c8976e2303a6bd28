#include "engine/speakers/networks/network_tensors.h"

#include <span>
#include <vector>

namespace engine {
namespace {

constexpr double batch_norm_eps = 1e-5;

}  // namespace

at::Tensor NetworkTensors::load(const std::string& name,
                                std::initializer_list<std::int64_t> shape) const {
  const WeightTensor& source = file_.tensor(name, shape);
  at::Tensor tensor = at::empty(at::IntArrayRef(shape), at::kFloat);
  to_float(source, std::span(tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())));
  return tensor.to(device_);
}

at::Tensor ChannelNorm::relu(const at::Tensor& x) const {
  return at::addcmul(shift, x, scale).relu_();
}

ChannelNorm load_norm(const NetworkTensors& tensors, const std::string& name,
                      std::int64_t channels) {
  const at::Tensor mean = tensors.load(name + ".running_mean", {channels});
  const at::Tensor variance = tensors.load(name + ".running_var", {channels});
  at::Tensor scale = (variance + batch_norm_eps).rsqrt();
  if (tensors.has(name + ".weight")) scale = scale * tensors.load(name + ".weight", {channels});
  at::Tensor shift = -mean * scale;
  if (tensors.has(name + ".bias")) shift = shift + tensors.load(name + ".bias", {channels});
  return {scale, shift};
}

Affine folded(const at::Tensor& weight, const ChannelNorm& norm) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(weight.dim()), 1);
  shape[0] = -1;
  return {weight * norm.scale.view(shape), norm.shift};
}

}  // namespace engine
