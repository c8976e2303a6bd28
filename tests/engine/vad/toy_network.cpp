#include "tests/engine/vad/toy_network.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <random>

#include "tests/engine/vad/onnx_file.h"

namespace toy {
namespace {

using Vector = std::vector<double>;
using Frames = std::vector<Vector>;  // [frame][channel]

struct Shape {
  const char* name;
  std::vector<std::int64_t> shape;
};

const Shape shapes[] = {{"model.stft.forward_basis_buffer", {258, 1, 256}},
                        {"model.encoder.0.reparam_conv.weight", {128, 129, 3}},
                        {"model.encoder.0.reparam_conv.bias", {128}},
                        {"model.encoder.1.reparam_conv.weight", {64, 128, 3}},
                        {"model.encoder.1.reparam_conv.bias", {64}},
                        {"model.encoder.2.reparam_conv.weight", {64, 64, 3}},
                        {"model.encoder.2.reparam_conv.bias", {64}},
                        {"model.encoder.3.reparam_conv.weight", {128, 64, 3}},
                        {"model.encoder.3.reparam_conv.bias", {128}},
                        {"model.decoder.rnn.weight_ih", {512, 128}},
                        {"model.decoder.rnn.weight_hh", {512, 128}},
                        {"model.decoder.rnn.bias_ih", {512}},
                        {"model.decoder.rnn.bias_hh", {512}},
                        {"model.decoder.decoder.2.weight", {1, 128, 1}},
                        {"model.decoder.decoder.2.bias", {1}}};

std::size_t elements(const Shape& tensor) {
  std::size_t count = 1;
  for (const auto dim : tensor.shape) count *= static_cast<std::size_t>(dim);
  return count;
}

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

Frames convolve(const Tensors& tensors, const std::string& name, Frames in, std::size_t stride) {
  const auto& weight = tensors.at(name + ".weight");
  const auto& bias = tensors.at(name + ".bias");
  const std::size_t n_in = in[0].size();
  in.insert(in.begin(), Vector(n_in));
  in.push_back(Vector(n_in));
  Frames out;
  for (std::size_t f = 0; f + 3 <= in.size(); f += stride) {
    Vector frame(bias.begin(), bias.end());
    for (std::size_t o = 0; o < frame.size(); ++o) {
      for (std::size_t i = 0; i < n_in; ++i) {
        for (std::size_t k = 0; k < 3; ++k)
          frame[o] += weight[(o * n_in + i) * 3 + k] * in[f + k][i];
      }
      frame[o] = std::max(0.0, frame[o]);
    }
    out.push_back(frame);
  }
  return out;
}

// Computes the spectrogram of 64 samples of context and 512 more.
Frames spectrogram(const std::vector<float>& basis, Vector pcm) {
  for (std::size_t i = 0; i < 64; ++i) pcm.push_back(pcm[574 - i]);
  Frames out;
  for (std::size_t f = 0; f < 4; ++f) {
    Vector parts(258);
    for (std::size_t o = 0; o < 258; ++o) {
      for (std::size_t i = 0; i < 256; ++i) parts[o] += basis[o * 256 + i] * pcm[f * 128 + i];
    }
    Vector frame(129);
    for (std::size_t o = 0; o < 129; ++o) frame[o] = std::hypot(parts[o], parts[o + 129]);
    out.push_back(frame);
  }
  return out;
}

}  // namespace

Tensors silero_tensors() {
  std::mt19937 generator(3);
  Tensors tensors;
  for (const Shape& shape : shapes) {
    auto& values = tensors[shape.name];
    values.resize(elements(shape));
    // Small enough that neither ReLU nor the gates hide a fault in what comes before them; large
    // enough at the end that it shows.
    const bool is_last = values.size() == 128 && shape.shape.size() == 3;
    const float scale = is_last ? 2 : shape.shape.size() == 1 ? 0.2f : 0.12f;
    for (float& value : values) value = scale * (static_cast<float>(generator() % 2001) / 1000 - 1);
  }
  return tensors;
}

void write_silero(const std::filesystem::path& file, const Tensors& tensors,
                  const std::string& without) {
  std::vector<std::string> messages;
  for (const Shape& shape : shapes) {
    if (shape.name == without) continue;
    messages.push_back(onnx_file::tensor({shape.name, shape.shape, tensors.at(shape.name)}));
  }
  std::ofstream(file, std::ios::binary) << onnx_file::model(messages);
}

std::vector<double> silero_probabilities(const Tensors& tensors, std::vector<float> pcm) {
  const auto& input = tensors.at("model.decoder.rnn.weight_ih");
  const auto& state = tensors.at("model.decoder.rnn.weight_hh");
  const auto& output = tensors.at("model.decoder.decoder.2.weight");
  pcm.resize((pcm.size() + 511) / 512 * 512);
  pcm.insert(pcm.begin(), 64, 0.0f);
  Vector hidden(128);
  Vector cell(128);
  std::vector<double> probabilities;
  for (auto at = pcm.begin(); at + 576 <= pcm.end(); at += 512) {
    Frames x = spectrogram(tensors.at("model.stft.forward_basis_buffer"), Vector(at, at + 576));
    x = convolve(tensors, "model.encoder.0.reparam_conv", x, 1);
    x = convolve(tensors, "model.encoder.1.reparam_conv", x, 2);
    x = convolve(tensors, "model.encoder.2.reparam_conv", x, 2);
    x = convolve(tensors, "model.encoder.3.reparam_conv", x, 1);
    Vector gates(512);
    for (std::size_t o = 0; o < 512; ++o) {
      gates[o] =
          tensors.at("model.decoder.rnn.bias_ih")[o] + tensors.at("model.decoder.rnn.bias_hh")[o];
      for (std::size_t i = 0; i < 128; ++i) {
        gates[o] += input[o * 128 + i] * x[0][i] + state[o * 128 + i] * hidden[i];
      }
    }
    double sum = tensors.at("model.decoder.decoder.2.bias")[0];
    for (std::size_t i = 0; i < 128; ++i) {
      cell[i] = sigmoid(gates[128 + i]) * cell[i] + sigmoid(gates[i]) * std::tanh(gates[256 + i]);
      hidden[i] = sigmoid(gates[384 + i]) * std::tanh(cell[i]);
      sum += output[i] * std::max(0.0, hidden[i]);
    }
    probabilities.push_back(sigmoid(sum));
  }
  return probabilities;
}

}  // namespace toy
