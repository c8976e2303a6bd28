#include "engine/speakers/networks/cam_plus.h"

#include <algorithm>
#include <string>

#include "engine/speakers/evidence.h"

namespace engine {
namespace {

constexpr std::int64_t head_channels = 32;
constexpr std::int64_t head_out = 320;  // channels times the frequencies that are left
constexpr std::int64_t tdnn_channels = 128;
constexpr std::int64_t bottleneck_channels = 128;
constexpr std::int64_t growth = 32;
constexpr std::int64_t context_channels = 64;
constexpr std::int64_t context_frames = 100;  // of a segment

Affine load_conv(const NetworkTensors& tensors, const std::string& conv, const std::string& norm,
                 std::initializer_list<std::int64_t> shape) {
  return folded(tensors.load(conv + ".weight", shape), load_norm(tensors, norm, *shape.begin()));
}

// x [batch, channels, frequencies, frames]
at::Tensor convolve(const at::Tensor& x, const Affine& layer, std::int64_t stride,
                    std::int64_t padding) {
  return at::conv2d(x, layer.weight, layer.bias, at::IntArrayRef{stride, 1},
                    at::IntArrayRef{padding, padding});
}

}  // namespace

CamPlus::ResidualBlock CamPlus::load_residual(const NetworkTensors& tensors,
                                              const std::string& name, std::int64_t stride) {
  const auto load = [&](const char* conv, const char* norm, std::int64_t width) {
    return load_conv(tensors, name + conv, name + norm,
                     {head_channels, head_channels, width, width});
  };
  ResidualBlock block{load(".conv1", ".bn1", 3), load(".conv2", ".bn2", 3), std::nullopt, stride};
  if (stride != 1) block.shortcut = load(".shortcut.0", ".shortcut.1", 1);
  return block;
}

CamPlus::DenseLayer CamPlus::load_layer(const NetworkTensors& tensors, const std::string& name,
                                        std::int64_t channels, std::int64_t dilation) {
  const auto pointwise = [&](const std::string& part, std::int64_t out, std::int64_t in) {
    return tensors.load(name + part + ".weight", {out, in, 1}).squeeze(2);
  };
  const at::Tensor local =
      tensors.load(name + ".cam_layer.linear_local.weight", {growth, bottleneck_channels, 3});
  return {
      .norm = load_norm(tensors, name + ".nonlinear1.batchnorm", channels),
      .bottleneck = folded(pointwise(".linear1", bottleneck_channels, channels),
                           load_norm(tensors, name + ".nonlinear2.batchnorm", bottleneck_channels)),
      .local = local.permute({0, 2, 1}).reshape({growth, 3 * bottleneck_channels}),
      .context = {pointwise(".cam_layer.linear1", context_channels, bottleneck_channels),
                  tensors.load(name + ".cam_layer.linear1.bias", {context_channels})},
      .gate = {pointwise(".cam_layer.linear2", growth, context_channels),
               tensors.load(name + ".cam_layer.linear2.bias", {growth})},
      .dilation = dilation};
}

CamPlus::DenseBlock CamPlus::load_block(const NetworkTensors& tensors, int number,
                                        std::int64_t channels, int layers, std::int64_t dilation) {
  const std::string end = std::to_string(number);
  DenseBlock block;
  for (int i = 1; i <= layers; ++i) {
    const std::string name = "xvector.block" + end + ".tdnnd" + std::to_string(i);
    block.layers.push_back(load_layer(tensors, name, channels, dilation));
    channels += growth;
  }
  block.norm = load_norm(tensors, "xvector.transit" + end + ".nonlinear.batchnorm", channels);
  block.transit =
      tensors.load("xvector.transit" + end + ".linear.weight", {channels / 2, channels, 1})
          .squeeze(2);
  return block;
}

CamPlus::CamPlus(const NetworkTensors& tensors)
    : conv1_(load_conv(tensors, "head.conv1", "head.bn1", {head_channels, 1, 3, 3})),
      residual_{
          load_residual(tensors, "head.layer1.0", 2), load_residual(tensors, "head.layer1.1", 1),
          load_residual(tensors, "head.layer2.0", 2), load_residual(tensors, "head.layer2.1", 1)},
      conv2_(load_conv(tensors, "head.conv2", "head.bn2", {head_channels, head_channels, 3, 3})),
      tdnn_(load_conv(tensors, "xvector.tdnn.linear", "xvector.tdnn.nonlinear.batchnorm",
                      {tdnn_channels, head_out, 5})),
      blocks_{load_block(tensors, 1, tdnn_channels, 12, 1), load_block(tensors, 2, 256, 24, 2),
              load_block(tensors, 3, 512, 16, 2)},
      out_(load_norm(tensors, "xvector.out_nonlinear.batchnorm", 512)),
      dense_(load_conv(tensors, "xvector.dense.linear", "xvector.dense.nonlinear.batchnorm",
                       {embedding_size, 1024, 1})) {
  dense_.weight = dense_.weight.squeeze(2);
}

at::Tensor CamPlus::operator()(const at::Tensor& features) const {
  at::Tensor x = at::conv1d(head(features), tdnn_.weight, tdnn_.bias, /*stride=*/2, /*padding=*/2);
  x = x.relu_().transpose(1, 2);  // from here on [batch, frames, channels]
  for (const DenseBlock& block : blocks_) x = block(x);
  x = out_.relu(x);
  x = at::cat({x.mean(1), x.std(at::IntArrayRef{1}, /*unbiased=*/true)}, 1);
  return at::linear(x, dense_.weight, dense_.bias);
}

// Returns [batch, head_out, frames].
at::Tensor CamPlus::head(const at::Tensor& features) const {
  at::Tensor x = convolve(features.transpose(1, 2).unsqueeze(1), conv1_, 1, 1).relu_();
  for (const ResidualBlock& block : residual_) x = block(x);
  return convolve(x, conv2_, 2, 1).relu_().flatten(1, 2);
}

at::Tensor CamPlus::ResidualBlock::operator()(const at::Tensor& x) const {
  const at::Tensor y = convolve(convolve(x, first, stride, 1).relu_(), second, 1, 1);
  return (y + (shortcut ? convolve(x, *shortcut, stride, 0) : x)).relu_();
}

at::Tensor CamPlus::DenseBlock::operator()(const at::Tensor& x) const {
  const std::int64_t read = x.size(2);
  const auto added = static_cast<std::int64_t>(layers.size()) * growth;
  at::Tensor all = at::empty({x.size(0), x.size(1), read + added}, x.options());
  all.narrow(2, 0, read).copy_(x);
  for (std::int64_t channels = read; const DenseLayer& layer : layers) {
    all.narrow(2, channels, growth).copy_(layer(all.narrow(2, 0, channels)));
    channels += growth;
  }
  return at::linear(norm.relu(all), transit);
}

// Returns [batch, frames, growth].
at::Tensor CamPlus::DenseLayer::operator()(const at::Tensor& x) const {
  const std::int64_t frames = x.size(1);
  const at::Tensor heard = at::linear(norm.relu(x), bottleneck.weight, bottleneck.bias).relu_();
  const at::Tensor padded = at::constant_pad_nd(heard, {0, 0, dilation, dilation});
  const at::Tensor around =
      at::cat({padded.narrow(1, 0, frames), heard, padded.narrow(1, 2 * dilation, frames)}, 2);
  at::Tensor y = at::linear(around, local);
  mask(heard, y);
  return y;
}

// Multiplies the frames of each segment by what the recording and the segment are like as a whole.
void CamPlus::DenseLayer::mask(const at::Tensor& heard, const at::Tensor& y) const {
  const std::int64_t frames = heard.size(1);
  const at::Tensor whole = heard.mean(1, /*keepdim=*/true);
  for (std::int64_t begin = 0; begin < frames; begin += context_frames) {
    const std::int64_t count = std::min(context_frames, frames - begin);
    const at::Tensor segment = heard.narrow(1, begin, count).mean(1, /*keepdim=*/true);
    const at::Tensor hidden = at::linear(whole + segment, context.weight, context.bias).relu_();
    y.narrow(1, begin, count).mul_(at::linear(hidden, gate.weight, gate.bias).sigmoid_());
  }
}

}  // namespace engine
