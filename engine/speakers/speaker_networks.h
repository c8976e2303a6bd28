#pragma once

#include <span>
#include <vector>

#include "engine/speakers/voices.h"

namespace engine {

constexpr int piece_samples = 3 * sample_rate_hz / 2;

// The two networks of diarization. They keep nothing of what they hear, and any number of threads
// may use them at once. They throw engine::Exception, with the device's error where that failed.
class SpeakerNetworks {
 public:
  virtual ~SpeakerNetworks() = default;

  // Says who of a window's voices speaks in each of its frames.
  //   windows  [n × speaker_window]  samples in [-1, 1]
  //   returns  [n × frames_per_window]
  virtual std::vector<Voices> segment(std::span<const float> windows) const = 0;

  // Turns the sound of a voice into numbers that are alike for the same speaker.
  //   pieces   [n × piece_samples]
  //   returns  [n × embedding_size]
  virtual std::vector<float> embed(std::span<const float> pieces) const = 0;
};

}  // namespace engine
