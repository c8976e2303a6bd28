#pragma once

#include <vector>

namespace engine {

// The encoder's input, 30 seconds of log-mel frames that are floored and scaled: [n_mels, 3000].
using MelWindow = std::vector<float>;

}  // namespace engine
