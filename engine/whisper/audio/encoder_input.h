#pragma once

#include <span>

#include "engine/whisper/audio/mel_window.h"

namespace engine {

// Makes the encoder's input: log-mel frames floored at 8 below `maximum` and scaled to about -1 …
// 1; the rest of the 30 seconds is 0, as openai/whisper's loop fills a short window.
//   frames  [frames, n_mels]  at most 3000, from LogMel
MelWindow encoder_input(std::span<const float> frames, int n_mels, float maximum);

}  // namespace engine
