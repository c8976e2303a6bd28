#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

#include "engine/whisper/constants.h"

namespace engine {

// The log10 mel power of silence, and the floor of every frame.
constexpr float silence_log_mel = -10.0F;
// Below it nothing can be heard. Noise of a bit or two in 16-bit samples stays below; very quiet
// recordings of speech reach -3.
constexpr float inaudible_log_mel = -7.0F;

// Computes the log-mel frames of PCM that arrives in pieces of any size: bit for bit what
// openai/whisper computes for the whole recording followed by 30 s of zeros, before the floor below
// the maximum.
//
// Frames are computed in blocks of 500 at fixed positions however the samples arrive, because a
// matrix product rounds differently for other widths. Memory is that of one block. It is used on
// one thread.
class LogMel {
 public:
  explicit LogMel(int n_mels);  // 80 or 128

  // Takes mono samples at 16 kHz and returns the frames of all blocks they complete.
  //   returns  [frames, n_mels]  log10 of the power, at least silence_log_mel
  at::Tensor push(std::span<const float> pcm);

  // Ends the recording and returns the remaining frames, up to the last that hears a sample. All
  // after it would be silence_log_mel. Nothing can be pushed any more.
  at::Tensor finish();

  std::int64_t samples() const { return samples_; }
  // The frames that belong to the recording; up to three more hear its end.
  std::int64_t content_frames() const { return samples_ / hop_length; }

 private:
  void begin_with_reflection();
  at::Tensor take_blocks();
  at::Tensor block(const float* samples) const;

  at::Tensor filters_;          // [n_mels, 201]
  at::Tensor window_;           // [400]
  std::vector<float> pending_;  // begins with the first sample of the next block's first frame
  bool begun_ = false;          // the reflection before the first sample is in pending_
  std::int64_t samples_ = 0;
  std::int64_t frames_ = 0;
};

}  // namespace engine
