#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/live/live_turns.h"

namespace engine {

// Returns a ListenForSpeech without a network: a sample of 0.01 or more makes its chunk speech.
inline ListenForSpeech loud_is_speech() {
  return [rest = std::vector<float>()](std::span<const float> pcm,
                                       std::vector<float>& probabilities) mutable {
    rest.insert(rest.end(), pcm.begin(), pcm.end());
    constexpr std::ptrdiff_t chunk = TurnDetector::chunk_samples;
    auto at = rest.begin();
    for (; rest.end() - at >= chunk; at += chunk) {
      const bool is_loud =
          std::any_of(at, at + chunk, [](float sample) { return std::abs(sample) >= 0.01F; });
      probabilities.push_back(is_loud ? 1.0F : 0.0F);
    }
    rest.erase(rest.begin(), at);
  };
}

}  // namespace engine
