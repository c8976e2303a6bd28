#include "engine/whisper/transcriber/live_guards.h"

#include <algorithm>
#include <cstddef>

#include "engine/audio/sample_rate.h"

namespace engine {

bool repeats_itself(std::span<const int> tokens) {
  constexpr std::size_t length = 4;
  constexpr std::size_t times = 3;
  // The count of tokens in a row that equal the one `length` before them.
  std::size_t equal = 0;
  for (std::size_t i = length; i < tokens.size(); ++i) {
    equal = tokens[i] == tokens[i - length] ? equal + 1 : 0;
    if (equal == length * (times - 1)) return true;
  }
  return false;
}

bool jumps_back(std::span<const HeardWord> words) {
  constexpr std::int64_t most = std::int64_t{4} * sample_rate_hz;
  const auto far_behind = [](const HeardWord& word, const HeardWord& next) {
    return next.attended < word.attended - most;
  };
  return std::ranges::adjacent_find(words, far_behind) != words.end();
}

bool leaves_speech_out(std::span<const HeardWord> words, double known_end, double speech_end) {
  constexpr double most_s = 1.5;
  const double end = words.empty() ? known_end : std::max(known_end, words.back().word.end);
  return speech_end - end > most_s;
}

}  // namespace engine
