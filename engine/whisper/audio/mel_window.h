#pragma once

#include <vector>

namespace engine {

// What the encoder reads of 30 seconds: log-mel frames, floored and scaled, [n_mels, 3000].
using MelWindow = std::vector<float>;

}  // namespace engine
