#pragma once

#include <utility>
#include <vector>

#include "engine/whisper/constants.h"

namespace engine {

// The encoder's input, 30 seconds of log-mel frames that are floored and scaled: [n_mels, 3000].
struct MelWindow : std::vector<float> {
  using std::vector<float>::vector;
  MelWindow() = default;
  MelWindow(std::vector<float> values) : std::vector<float>(std::move(values)) {}

  // The frames of audio, which come first. If fewer than all, the rest is 0, and a model may
  // compute little of it.
  int frames = window_frames;
};

}  // namespace engine
