#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/whisper/constants.h"

namespace engine {

// Returns whether the token is a timestamp. Some models have other tokens behind them.
constexpr bool is_timestamp(int token, int timestamp_begin) {
  return token >= timestamp_begin && token < timestamp_begin + n_timestamps;
}

// A part of a window's tokens, in seconds from the window's start.
struct TimedTokens {
  double start = 0;
  double end = 0;
  std::vector<int> tokens;
};

struct WindowSegments {
  std::vector<TimedTokens> segments;
  std::int64_t advance = 0;  // frames to the next window
  // The tokens end with a lone timestamp: nothing more was said in the window.
  bool silence_until_end = false;
};

// Cuts the tokens of one window where two timestamps meet, and says where to go on: behind the last
// complete segment, or behind the window where nothing was said after it. This is the body of the
// loop in openai/whisper transcribe.py.
//   frames: how many of the window's frames belong to it
WindowSegments split_window(std::span<const int> tokens, int timestamp_begin, std::int64_t frames);

}  // namespace engine
