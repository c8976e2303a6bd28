#pragma once

#include <array>
#include <span>
#include <vector>

#include "engine/speakers/voices.h"

namespace engine {

// Matches the voices of a window with speakers, so that the sum of what they have in common is the
// largest. Returns each voice's speaker, -1 where it has nothing in common with any that is left.
//   common  [voices_per_window × speakers]  none is negative
std::array<int, voices_per_window> assign(std::span<const float> common, int speakers);

}  // namespace engine
