#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "engine/whisper/audio/mel_window.h"
#include "engine/whisper/constants.h"

namespace engine {

inline std::vector<float> random_numbers(std::size_t count, std::uint64_t seed, float size = 1) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<float> number(0, size);
  std::vector<float> numbers(count);
  std::ranges::generate(numbers, [&] { return number(generator); });
  return numbers;
}

// Returns what an encoder might read of some sound, for models of 80 mels.
inline MelWindow random_window(std::uint64_t seed) {
  return random_numbers(std::size_t{80} * window_frames, seed);
}

// Returns a window whose first `frames` are audio; the rest is 0, and a model may compute few of
// it.
inline MelWindow short_window(std::uint64_t seed, int frames) {
  MelWindow mel = random_window(seed);
  mel.frames = frames;
  for (auto band = mel.begin(); band != mel.end(); band += window_frames) {
    std::fill(band + frames, band + window_frames, 0.0F);
  }
  return mel;
}

}  // namespace engine
