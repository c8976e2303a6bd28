#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/vad/silero_weights.h"

namespace engine {

// Computes how likely there is speech in each chunk of 512 samples (32 ms) of a recording at 16
// kHz. An object is for one recording at a time, on one thread.
class SileroVad {
 public:
  static constexpr int chunk_samples = 512;

  explicit SileroVad(std::shared_ptr<const SileroWeights> weights);

  // Takes samples in [-1, 1], in pieces of any size, and appends a probability in [0, 1] for each
  // chunk that is complete. Pieces of 8192 samples or more cost the least.
  void push(std::span<const float> pcm, std::vector<float>& probabilities);

  // Completes the last chunk with zeros, appends its probability, and resets the object.
  void finish(std::vector<float>& probabilities);

 private:
  void run(int chunks, std::vector<float>& probabilities);
  void transform(int chunks);
  void convolve(int chunks);
  float remember(const float* gates);

  std::shared_ptr<const SileroWeights> weights_;
  int filled_ = 0;                  // samples in the block, without the context
  std::vector<float> samples_;      // [64 + block]: the end of the chunk before, then the block
  std::vector<float> tails_;        // [chunk][256]: the last frame, with its mirrored end
  std::vector<float> spectrum_;     // [chunk][frame 4][Dense::outputs()]
  std::vector<float> magnitude_;    // [chunk][frame 6][129], first and last frame zero
  std::vector<float> conv1_;        // [chunk][frame 5][128], first frame zero
  std::vector<float> conv2_;        // [chunk][frame 2][64]
  std::vector<float> conv3_;        // [chunk][64]
  std::vector<float> conv4_;        // [chunk][128]
  std::vector<float> gates_;        // [chunk][512]
  std::vector<float> state_gates_;  // [512]
  std::vector<float> hidden_;       // [128]
  std::vector<float> cell_;         // [128]
  std::vector<DenseRow> rows_;
};

}  // namespace engine
