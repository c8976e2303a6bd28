#include "engine/vad/silero_vad.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

// This is the network of snakers4/silero-vad, src/silero_vad/tinygrad_model.py. All layers but the
// LSTM depend on one chunk and its context alone, so a block of chunks goes through each layer at
// once, whose weights then stay in the cache.
namespace engine {
namespace {

using S = SileroWeights;

constexpr int context = 64;
constexpr int hop = S::n_fft / 2;
constexpr int frames = 4;
constexpr int block_chunks = 16;
constexpr int block_samples = block_chunks * SileroVad::chunk_samples;
// The last frame reaches beyond its chunk, where it reads the mirrored end of the chunk.
constexpr int mirrored = (frames - 1) * hop + S::n_fft - context - SileroVad::chunk_samples;

float sigmoid(float x) {
  return 1.0f / (1.0f + std::exp(-x));
}

float hyperbolic_tangent(float x) {
  return 2.0f * sigmoid(2.0f * x) - 1.0f;
}

std::vector<float> zeros(int count) {
  return std::vector<float>(static_cast<std::size_t>(count), 0.0f);
}

}  // namespace

SileroVad::SileroVad(std::shared_ptr<const SileroWeights> weights)
    : weights_(std::move(weights)),
      samples_(zeros(context + block_samples)),
      tails_(zeros(block_chunks * S::n_fft)),
      spectrum_(zeros(block_chunks * frames * weights_->stft.outputs())),
      magnitude_(zeros(block_chunks * (frames + 2) * S::n_freqs)),
      conv1_(zeros(block_chunks * (frames + 1) * S::n_conv1)),
      conv2_(zeros(block_chunks * 2 * S::n_conv2)),
      conv3_(zeros(block_chunks * S::n_conv3)),
      conv4_(zeros(block_chunks * S::n_state)),
      gates_(zeros(block_chunks * 4 * S::n_state)),
      state_gates_(zeros(4 * S::n_state)),
      hidden_(zeros(S::n_state)),
      cell_(zeros(S::n_state)) {}

void SileroVad::push(std::span<const float> pcm, std::vector<float>& probabilities) {
  while (!pcm.empty()) {
    const std::size_t count =
        std::min(pcm.size(), static_cast<std::size_t>(block_samples - filled_));
    std::copy_n(pcm.begin(), count, samples_.begin() + context + filled_);
    pcm = pcm.subspan(count);
    filled_ += static_cast<int>(count);
    run(filled_ / chunk_samples, probabilities);
  }
}

void SileroVad::finish(std::vector<float>& probabilities) {
  if (filled_ > 0) {
    const auto chunk = samples_.begin() + context;
    std::fill(chunk + filled_, chunk + chunk_samples, 0.0f);
    filled_ = chunk_samples;
    run(1, probabilities);
  }
  std::fill_n(samples_.begin(), context, 0.0f);
  std::fill(hidden_.begin(), hidden_.end(), 0.0f);
  std::fill(cell_.begin(), cell_.end(), 0.0f);
}

void SileroVad::run(int chunks, std::vector<float>& probabilities) {
  if (chunks == 0) return;
  transform(chunks);
  convolve(chunks);
  for (int c = 0; c < chunks; ++c) {
    probabilities.push_back(remember(gates_.data() + c * 4 * S::n_state));
  }
  // The last samples of these chunks are the context of the next ones.
  std::copy(samples_.begin() + chunks * chunk_samples, samples_.begin() + context + filled_,
            samples_.begin());
  filled_ -= chunks * chunk_samples;
}

// Computes magnitude_ from the samples: a short-time Fourier transform, mirrored at the end of the
// chunk.
void SileroVad::transform(int chunks) {
  rows_.clear();
  for (int c = 0; c < chunks; ++c) {
    const float* chunk = samples_.data() + c * chunk_samples;
    const float* last_frame = chunk + (frames - 1) * hop;
    float* tail = tails_.data() + c * S::n_fft;
    const float* end = last_frame + S::n_fft - mirrored;
    std::reverse_copy(end - 1 - mirrored, end - 1, std::copy(last_frame, end, tail));
    for (int f = 0; f < frames; ++f) {
      rows_.push_back({f + 1 < frames ? chunk + f * hop : tail,
                       spectrum_.data() + (c * frames + f) * weights_->stft.outputs()});
    }
  }
  weights_->stft.apply(rows_);
  for (int c = 0; c < chunks; ++c) {
    for (int f = 0; f < frames; ++f) {
      const float* real = rows_[static_cast<std::size_t>(c * frames + f)].out;
      const float* imaginary = real + S::imaginary;
      float* magnitude = magnitude_.data() + (c * (frames + 2) + f + 1) * S::n_freqs;
      for (int i = 0; i < S::n_freqs; ++i) {
        magnitude[i] = std::sqrt(real[i] * real[i] + imaginary[i] * imaginary[i]);
      }
    }
  }
}

// Computes gates_, the LSTM's input, from magnitude_.
void SileroVad::convolve(int chunks) {
  const auto fill_rows = [&](int per_chunk, auto in, auto out) {
    rows_.clear();
    for (int c = 0; c < chunks; ++c) {
      for (int f = 0; f < per_chunk; ++f) rows_.push_back({in(c, f), out(c, f)});
    }
  };
  const auto in_conv1 = [&](int c, int f) {
    return conv1_.data() + (c * (frames + 1) + f) * S::n_conv1;
  };
  const auto in_conv2 = [&](int c, int f) { return conv2_.data() + (2 * c + f) * S::n_conv2; };
  const auto in_conv3 = [&](int c, int) { return conv3_.data() + c * S::n_conv3; };
  const auto in_conv4 = [&](int c, int) { return conv4_.data() + c * S::n_state; };

  fill_rows(
      frames, [&](int c, int f) { return magnitude_.data() + (c * (frames + 2) + f) * S::n_freqs; },
      [&](int c, int f) { return in_conv1(c, f + 1); });
  weights_->conv1.apply_relu(rows_);
  fill_rows(
      2, [&](int c, int f) { return in_conv1(c, 2 * f); }, in_conv2);
  weights_->conv2.apply_relu(rows_);
  fill_rows(1, in_conv2, in_conv3);
  weights_->conv3.apply_relu(rows_);
  fill_rows(1, in_conv3, in_conv4);
  weights_->conv4.apply_relu(rows_);
  fill_rows(1, in_conv4, [&](int c, int) { return gates_.data() + c * 4 * S::n_state; });
  weights_->lstm_input.apply(rows_);
}

// Runs one step of the LSTM (gates i, f, g, o), and returns its probability.
float SileroVad::remember(const float* gates) {
  const DenseRow row{hidden_.data(), state_gates_.data()};
  weights_->lstm_state.apply({&row, 1});
  const auto gate = [&](int kind, int i) {
    return gates[kind * S::n_state + i] +
           state_gates_[static_cast<std::size_t>(kind * S::n_state + i)];
  };
  float sum = weights_->out_bias;
  for (int i = 0; i < S::n_state; ++i) {
    const auto n = static_cast<std::size_t>(i);
    cell_[n] =
        sigmoid(gate(1, i)) * cell_[n] + sigmoid(gate(0, i)) * hyperbolic_tangent(gate(2, i));
    hidden_[n] = sigmoid(gate(3, i)) * hyperbolic_tangent(cell_[n]);
    sum += weights_->out[n] * std::max(0.0f, hidden_[n]);
  }
  return sigmoid(sum);
}

}  // namespace engine
