#include "engine/vad/silero_weights.h"

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include "engine/vad/onnx_tensors.h"
#include "engine/weights/byte_reader.h"
#include "engine/weights/mapped_file.h"

namespace engine {
namespace {

using S = SileroWeights;
using Floats = std::vector<float>;
using Shape = std::vector<std::int64_t>;

Floats read(const TensorTable& tensors, const std::string& name, const Shape& shape) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) damaged(name + ": is missing; this is no model of Silero VAD");
  if (found->second.shape != shape) {
    damaged(name + ": expected shape " + shape_text(shape) + ", got " +
            shape_text(found->second.shape));
  }
  Floats values(static_cast<std::size_t>(found->second.elements()));
  to_float(found->second, values);
  return values;
}

// Makes the layer from the file's rows, one per frequency, cosines first and then sines.
Dense stft(const TensorTable& tensors) {
  const Floats basis =
      read(tensors, "model.stft.forward_basis_buffer", {2 * S::n_freqs, 1, S::n_fft});
  const auto sines = basis.begin() + S::n_freqs * S::n_fft;
  Floats weight((S::imaginary + S::n_freqs) * S::n_fft, 0.0f);
  std::copy(basis.begin(), sines, weight.begin());
  std::copy(sines, basis.end(), weight.begin() + S::imaginary * S::n_fft);
  return {S::n_fft, weight, {}};
}

// Makes a layer of the frames [first, last) of a kernel [n_out, n_in, 3].
Dense convolution(const TensorTable& tensors, const std::string& name, int n_out, int n_in,
                  int first = 0, int last = 3) {
  const Floats kernel = read(tensors, name + ".weight", {n_out, n_in, 3});
  Floats weight;
  weight.reserve(kernel.size());
  for (int o = 0; o < n_out; ++o) {
    for (int frame = first; frame < last; ++frame) {
      for (int i = 0; i < n_in; ++i) {
        weight.push_back(kernel[static_cast<std::size_t>((o * n_in + i) * 3 + frame)]);
      }
    }
  }
  return {n_in * (last - first), weight, read(tensors, name + ".bias", {n_out})};
}

Floats lstm_bias(const TensorTable& tensors) {
  Floats bias = read(tensors, "model.decoder.rnn.bias_ih", {4 * S::n_state});
  const Floats second = read(tensors, "model.decoder.rnn.bias_hh", {4 * S::n_state});
  for (std::size_t i = 0; i < bias.size(); ++i) bias[i] += second[i];
  return bias;
}

Dense lstm(const TensorTable& tensors, const std::string& name, const Floats& bias) {
  return {S::n_state, read(tensors, name, {4 * S::n_state, S::n_state}), bias};
}

SileroWeights pack(const TensorTable& tensors) {
  return {stft(tensors),
          convolution(tensors, "model.encoder.0.reparam_conv", S::n_conv1, S::n_freqs),
          convolution(tensors, "model.encoder.1.reparam_conv", S::n_conv2, S::n_conv1),
          convolution(tensors, "model.encoder.2.reparam_conv", S::n_conv3, S::n_conv2, 1, 3),
          convolution(tensors, "model.encoder.3.reparam_conv", S::n_state, S::n_conv3, 1, 2),
          lstm(tensors, "model.decoder.rnn.weight_ih", lstm_bias(tensors)),
          lstm(tensors, "model.decoder.rnn.weight_hh", {}),
          read(tensors, "model.decoder.decoder.2.weight", {1, S::n_state, 1}),
          read(tensors, "model.decoder.decoder.2.bias", {1})[0]};
}

}  // namespace

Result<SileroWeights> load_silero(const std::filesystem::path& file) {
  if (!Dense::runs_here()) {
    return Error{Errc::device_unavailable, "[vad] this CPU has no AVX2",
                 "Transcribe without voice activity detection."};
  }
  try {
    const MappedFile mapped(file);
    return pack(read_onnx_tensors(mapped.bytes()));
  } catch (const Exception& e) {
    Error error = e.error;
    if (error.message.find(file.string()) == std::string::npos) {
      error.message += " (" + file.string() + ")";
    }
    return error;
  } catch (const std::bad_alloc&) {
    return Error{Errc::out_of_memory, "[vad] out of memory (" + file.string() + ")", ""};
  }
}

}  // namespace engine
