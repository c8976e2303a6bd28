#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "engine/speakers/frames.h"

namespace engine {

// The voices that are heard in one frame of a window, as bits: up to three are told apart in a
// window, and the same voice may be another bit in the next one.
using Voices = std::uint8_t;

constexpr int voices_per_window = 3;

// The network's classes: nobody, each voice alone, each two of them at once ("powerset").
constexpr std::array<Voices, 7> powerset{0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110};

constexpr int voice_count(Voices voices) {
  return std::popcount(voices);
}

struct VoiceWindow {
  std::int64_t start = 0;  // its first sample
  std::array<Voices, frames_per_window> voices{};

  std::int64_t first() const { return first_frame(start); }
};

}  // namespace engine
