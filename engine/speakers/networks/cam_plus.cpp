#include "engine/speakers/networks/cam_plus.h"

#include <algorithm>

namespace engine {
namespace {

constexpr std::int64_t context_frames = 100;  // of a segment

// x [batch, channels, frequencies, frames]
at::Tensor convolve(const at::Tensor& x, const Affine& layer, std::int64_t stride,
                    std::int64_t padding) {
  return at::conv2d(x, layer.weight, layer.bias, at::IntArrayRef{stride, 1},
                    at::IntArrayRef{padding, padding});
}

at::Tensor run(const ResidualWeights& block, const at::Tensor& x) {
  const at::Tensor y =
      convolve(convolve(x, block.first, block.stride, 1).relu_(), block.second, 1, 1);
  return (y + (block.shortcut ? convolve(x, *block.shortcut, block.stride, 0) : x)).relu_();
}

// Multiplies the frames of each segment by what the recording and the segment are like as a whole.
void mask(const DenseLayerWeights& layer, const at::Tensor& heard, const at::Tensor& y) {
  const std::int64_t frames = heard.size(1);
  const at::Tensor whole = heard.mean(1, /*keepdim=*/true);
  for (std::int64_t begin = 0; begin < frames; begin += context_frames) {
    const std::int64_t count = std::min(context_frames, frames - begin);
    const at::Tensor segment = heard.narrow(1, begin, count).mean(1, /*keepdim=*/true);
    const at::Tensor hidden =
        at::linear(whole + segment, layer.context.weight, layer.context.bias).relu_();
    y.narrow(1, begin, count)
        .mul_(at::linear(hidden, layer.gate.weight, layer.gate.bias).sigmoid_());
  }
}

// Returns [batch, frames, growth].
at::Tensor run(const DenseLayerWeights& layer, const at::Tensor& x) {
  const std::int64_t frames = x.size(1);
  const std::int64_t dilation = layer.dilation;
  const at::Tensor heard =
      at::linear(layer.norm.relu(x), layer.bottleneck.weight, layer.bottleneck.bias).relu_();
  const at::Tensor padded = at::constant_pad_nd(heard, {0, 0, dilation, dilation});
  const at::Tensor around =
      at::cat({padded.narrow(1, 0, frames), heard, padded.narrow(1, 2 * dilation, frames)}, 2);
  at::Tensor y = at::linear(around, layer.local);
  mask(layer, heard, y);
  return y;
}

at::Tensor run(const DenseBlockWeights& block, const at::Tensor& x) {
  const std::int64_t read = x.size(2);
  const auto added = static_cast<std::int64_t>(block.layers.size()) * cam_plus::growth;
  at::Tensor all = at::empty({x.size(0), x.size(1), read + added}, x.options());
  all.narrow(2, 0, read).copy_(x);
  for (std::int64_t channels = read; const DenseLayerWeights& layer : block.layers) {
    all.narrow(2, channels, cam_plus::growth).copy_(run(layer, all.narrow(2, 0, channels)));
    channels += cam_plus::growth;
  }
  return at::linear(block.norm.relu(all), block.transit);
}

}  // namespace

at::Tensor CamPlus::operator()(const at::Tensor& features) const {
  const Affine& tdnn = weights_.tdnn;
  at::Tensor x = at::conv1d(head(features), tdnn.weight, tdnn.bias, /*stride=*/2, /*padding=*/2);
  x = x.relu_().transpose(1, 2);  // from here on [batch, frames, channels]
  for (const DenseBlockWeights& block : weights_.blocks) x = run(block, x);
  x = weights_.out.relu(x);
  x = at::cat({x.mean(1), x.std(at::IntArrayRef{1}, /*unbiased=*/true)}, 1);
  return at::linear(x, weights_.dense.weight, weights_.dense.bias);
}

// Returns [batch, channels · frequencies, frames].
at::Tensor CamPlus::head(const at::Tensor& features) const {
  at::Tensor x = convolve(features.transpose(1, 2).unsqueeze(1), weights_.conv1, 1, 1).relu_();
  for (const ResidualWeights& block : weights_.residual) x = run(block, x);
  return convolve(x, weights_.conv2, 2, 1).relu_().flatten(1, 2);
}

}  // namespace engine
