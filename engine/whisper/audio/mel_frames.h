#pragma once

#include <algorithm>
#include <vector>

namespace engine {

// The log10 mel power of silence, and the floor of every frame.
constexpr float silence_log_mel = -10.0F;
// Below it nothing can be heard. Noise of a bit or two in 16-bit samples stays below; very quiet
// recordings of speech reach -3.
constexpr float inaudible_log_mel = -7.0F;

// The log10 of the power in each mel band of some frames, at least silence_log_mel.
struct MelFrames {
  int n_mels = 0;
  std::vector<float> values{};  // [frames, n_mels]

  int frames() const { return static_cast<int>(values.size()) / n_mels; }
  // Returns silence_log_mel where there are no frames.
  float loudest() const {
    return values.empty() ? silence_log_mel : *std::ranges::max_element(values);
  }
};

}  // namespace engine
