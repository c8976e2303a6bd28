#include "engine/speakers/networks/cam_plus_weights.h"

#include <initializer_list>

#include "engine/speakers/evidence.h"

namespace engine {
namespace {

using namespace cam_plus;

Affine load_conv(const NetworkTensors& tensors, const std::string& conv, const std::string& norm,
                 std::initializer_list<std::int64_t> shape) {
  return folded(tensors.load(conv + ".weight", shape), load_norm(tensors, norm, *shape.begin()));
}

ResidualWeights load_residual(const NetworkTensors& tensors, const std::string& name,
                              std::int64_t stride) {
  const auto load = [&](const char* conv, const char* norm, std::int64_t width) {
    return load_conv(tensors, name + conv, name + norm,
                     {head_channels, head_channels, width, width});
  };
  ResidualWeights block{load(".conv1", ".bn1", 3), load(".conv2", ".bn2", 3), std::nullopt, stride};
  if (stride != 1) block.shortcut = load(".shortcut.0", ".shortcut.1", 1);
  return block;
}

DenseLayerWeights load_layer(const NetworkTensors& tensors, const std::string& name,
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

DenseBlockWeights load_block(const NetworkTensors& tensors, int number, std::int64_t channels,
                             int layers, std::int64_t dilation) {
  const std::string end = std::to_string(number);
  DenseBlockWeights block;
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

}  // namespace

CamPlusWeights::CamPlusWeights(const NetworkTensors& tensors)
    : conv1(load_conv(tensors, "head.conv1", "head.bn1", {head_channels, 1, 3, 3})),
      residual{
          load_residual(tensors, "head.layer1.0", 2), load_residual(tensors, "head.layer1.1", 1),
          load_residual(tensors, "head.layer2.0", 2), load_residual(tensors, "head.layer2.1", 1)},
      conv2(load_conv(tensors, "head.conv2", "head.bn2", {head_channels, head_channels, 3, 3})),
      tdnn(load_conv(tensors, "xvector.tdnn.linear", "xvector.tdnn.nonlinear.batchnorm",
                     {tdnn_channels, head_channels * head_lines, tdnn_frames})),
      blocks{load_block(tensors, 1, tdnn_channels, 12, 1), load_block(tensors, 2, 256, 24, 2),
             load_block(tensors, 3, 512, 16, 2)},
      out(load_norm(tensors, "xvector.out_nonlinear.batchnorm", out_channels)),
      dense(load_conv(tensors, "xvector.dense.linear", "xvector.dense.nonlinear.batchnorm",
                      {embedding_size, 2 * out_channels, 1})) {
  dense.weight = dense.weight.squeeze(2);
}

}  // namespace engine
