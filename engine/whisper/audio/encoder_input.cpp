#include "engine/whisper/audio/encoder_input.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "engine/whisper/constants.h"

namespace engine {

MelWindow encoder_input(std::span<const float> frames, int n_mels, float maximum) {
  const auto bands = static_cast<std::size_t>(n_mels);
  if (frames.size() % bands != 0 || frames.size() > bands * window_frames) {
    throw std::invalid_argument("an encoder's input has 3000 whole frames at most");
  }
  MelWindow window(bands * window_frames);
  for (std::size_t frame = 0; frame < frames.size() / bands; ++frame) {
    for (std::size_t band = 0; band < bands; ++band) {
      const float value = std::max(frames[frame * bands + band], maximum - 8.0F);
      window[band * window_frames + frame] = (value + 4.0F) / 4.0F;
    }
  }
  return window;
}

}  // namespace engine
