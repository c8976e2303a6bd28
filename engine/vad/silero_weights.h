#pragma once

#include <filesystem>
#include <vector>

#include "engine/error.h"
#include "engine/vad/dense.h"

namespace engine {

// The network of Silero VAD 6 for 16 kHz, from the file silero_vad_16k_op15.onnx of its Python
// package. (The numbers in silero_vad_16k.safetensors beside it differ up to 6.2.3, see issue 768
// of snakers4/silero-vad.) Immutable, so any number of SileroVad may read it at once.
//
// Shapes are per chunk of 512 samples. A convolution is over three frames, with a frame of zeros
// on either side of what it reads; its weights are packed as [out, frame, in].
struct SileroWeights {
  static constexpr int n_fft = 256;
  static constexpr int n_freqs = n_fft / 2 + 1;
  // The imaginary parts begin here among the outputs of `stft`; the real parts begin at 0.
  static constexpr int imaginary = 136;
  static constexpr int n_conv1 = 128;
  static constexpr int n_conv2 = 64;
  static constexpr int n_conv3 = 64;
  static constexpr int n_state = 128;

  Dense stft;              // 256 windowed samples, every 128 -> 4 frames
  Dense conv1;             // [129, 4] -> [128, 4]
  Dense conv2;             // [128, 4] -> [64, 2], stride 2
  Dense conv3;             // [64, 2] -> [64, 1], stride 2: without the frame of zeros before
  Dense conv4;             // [64, 1] -> [128, 1]: the middle frame alone
  Dense lstm_input;        // -> gates i, f, g, o of 128 each, both biases included
  Dense lstm_state;        // gates from the hidden state
  std::vector<float> out;  // [128]
  float out_bias = 0;
};

// Loads the network. Errors: not_found, unreadable, damaged_model, and device_unavailable on a CPU
// without AVX2.
Result<SileroWeights> load_silero(const std::filesystem::path& file);

}  // namespace engine
