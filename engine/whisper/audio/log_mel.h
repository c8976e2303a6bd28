#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/kernels/power_spectra.h"
#include "engine/whisper/audio/mel_filters.h"
#include "engine/whisper/audio/mel_frames.h"
#include "engine/whisper/constants.h"

namespace engine {

// Computes the log-mel frames of PCM that arrives in pieces of any size: what openai/whisper's
// audio.py `log_mel_spectrogram` computes, to the rounding of float32, for the whole recording
// followed by 30 s of zeros, before the floor below the maximum. A frame has the same bits however
// the samples arrive. It is used on one thread.
class LogMel {
 public:
  explicit LogMel(int n_mels);  // 80 or 128

  // Takes mono samples at 16 kHz and returns the frames that they complete.
  MelFrames push(std::span<const float> pcm);

  // Ends the recording and returns the remaining frames, up to the last that hears a sample. All
  // after it would be silence_log_mel. Nothing can be pushed any more.
  MelFrames finish();

  std::int64_t samples() const { return samples_; }
  // The frames that belong to the recording; up to three more hear its end.
  std::int64_t content_frames() const { return samples_ / hop_length; }

 private:
  using Spectra = kernels::PowerSpectra;

  void begin_with_reflection();
  MelFrames take_frames();
  void add_frames(std::span<const float> samples, std::size_t count, std::vector<float>& values);
  void add_bands(std::size_t count, std::vector<float>& values);

  int n_mels_;
  std::vector<MelFilter> filters_;
  std::array<float, n_fft> window_;
  Spectra spectra_{n_fft};
  std::vector<Spectra::Lanes> bands_;  // [n_mels] of the frames that are computed
  std::vector<float> pending_;         // begins with the first sample of the next frame
  bool begun_ = false;                 // the reflection before the first sample is in pending_
  std::int64_t samples_ = 0;
  std::int64_t frames_ = 0;
};

}  // namespace engine
