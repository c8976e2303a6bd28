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

  // The frames behind the first ones are 0, and need not be computed one by one.
  int frames = window_frames;
};

}  // namespace engine
