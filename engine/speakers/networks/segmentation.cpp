#include "engine/speakers/networks/segmentation.h"

#include <string>

#include "engine/speakers/networks/sinc_filters.h"

namespace engine {
namespace {

constexpr int lstm_layers = 4;
constexpr std::int64_t lstm_state = 128;
constexpr int filter_stride = 10;
constexpr double instance_norm_eps = 1e-5;

Affine load_affine(const NetworkTensors& tensors, const std::string& name,
                   std::initializer_list<std::int64_t> shape) {
  return {tensors.load(name + ".weight", shape), tensors.load(name + ".bias", {*shape.begin()})};
}

std::vector<at::Tensor> load_lstm(const NetworkTensors& tensors) {
  std::vector<at::Tensor> parameters;
  for (int layer = 0; layer < lstm_layers; ++layer) {
    const std::int64_t inputs = layer == 0 ? 60 : 2 * lstm_state;
    for (const char* direction : {"", "_reverse"}) {
      const std::string end = "_l" + std::to_string(layer) + direction;
      parameters.push_back(tensors.load("lstm.weight_ih" + end, {4 * lstm_state, inputs}));
      parameters.push_back(tensors.load("lstm.weight_hh" + end, {4 * lstm_state, lstm_state}));
      parameters.push_back(tensors.load("lstm.bias_ih" + end, {4 * lstm_state}));
      parameters.push_back(tensors.load("lstm.bias_hh" + end, {4 * lstm_state}));
    }
  }
  return parameters;
}

// x [batch, channels, samples]; mean and variance are those of each channel of each window.
at::Tensor instance_norm(const at::Tensor& x, const Affine& norm) {
  return at::instance_norm(x, norm.weight, norm.bias, {}, {}, /*use_input_stats=*/true,
                           /*momentum=*/0, instance_norm_eps, /*cudnn_enabled=*/true);
}

at::Tensor pool_and_norm(const at::Tensor& x, const Affine& norm) {
  return at::leaky_relu(instance_norm(at::max_pool1d(x, 3, 3), norm));
}

}  // namespace

SegmentationWeights::SegmentationWeights(const NetworkTensors& tensors)
    : sound_norm(load_affine(tensors, "sincnet.wav_norm1d", {1})),
      filters_norm(load_affine(tensors, "sincnet.norm1d.0", {80})),
      stages{SegmentationStage{load_affine(tensors, "sincnet.conv1d.1", {60, 80, 5}),
                               load_affine(tensors, "sincnet.norm1d.1", {60})},
             SegmentationStage{load_affine(tensors, "sincnet.conv1d.2", {60, 60, 5}),
                               load_affine(tensors, "sincnet.norm1d.2", {60})}},
      lstm(load_lstm(tensors)),
      linear{load_affine(tensors, "linear.0", {128, 2 * lstm_state}),
             load_affine(tensors, "linear.1", {128, 128})},
      classifier(load_affine(tensors, "classifier", {7, 128})) {
  const std::string bank = "sincnet.conv1d.0.filterbank.";
  filters = sinc_filters(
      tensors.load(bank + "low_hz_", {40, 1}), tensors.load(bank + "band_hz_", {40, 1}),
      tensors.load(bank + "n_", {1, 125}), tensors.load(bank + "window_", {125}));
}

at::Tensor Segmentation::operator()(const at::Tensor& windows) const {
  const at::Tensor features = sincnet(windows).transpose(1, 2);
  const at::Tensor zeros =
      at::zeros({2 * lstm_layers, features.size(0), lstm_state}, features.options());
  at::Tensor x = std::get<0>(at::lstm(features, {zeros, zeros}, weights_.lstm, /*has_biases=*/true,
                                      lstm_layers, /*dropout=*/0, /*train=*/false,
                                      /*bidirectional=*/true, /*batch_first=*/true));
  for (const Affine& layer : weights_.linear)
    x = at::leaky_relu(at::linear(x, layer.weight, layer.bias));
  return at::log_softmax(at::linear(x, weights_.classifier.weight, weights_.classifier.bias), -1);
}

// Returns [batch, 60, frames_per_window].
at::Tensor Segmentation::sincnet(const at::Tensor& windows) const {
  const at::Tensor sound = instance_norm(windows.unsqueeze(1), weights_.sound_norm);
  at::Tensor x = at::conv1d(sound, weights_.filters, {}, filter_stride).abs();
  x = pool_and_norm(x, weights_.filters_norm);
  for (const SegmentationStage& stage : weights_.stages) {
    x = at::conv1d(x, stage.convolution.weight, stage.convolution.bias);
    x = pool_and_norm(x, stage.norm);
  }
  return x;
}

}  // namespace engine
