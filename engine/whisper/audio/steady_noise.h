#pragma once

#include <span>

namespace engine {

// Returns for how many frames from the first on there is noise that does not change, as of a
// microphone or a fan: no part of the spectrum is 2.8 dB above or below the first 5 s for 0.2 s.
// Speech changes by more wherever it can be understood. 0 if that is less than 5 s.
//   frames  [frames, n_mels]  log-mel, as LogMel makes them; n_mels is 80 or 128
int steady_noise(std::span<const float> frames, int n_mels);

}  // namespace engine
