#include "engine/whisper/transcriber/window_check.h"

#include <algorithm>

namespace engine {
namespace {

// The thresholds that caught every early end of two sets of clips (Accuracy and speed).
constexpr double least_logprob = -0.8;
constexpr double most_compression = 2.4;
constexpr double most_unheard_s = 1;

// Returns how far the text goes, in seconds; a text without timestamps goes nowhere.
double end_of_text(const std::vector<int>& tokens, int timestamp_begin) {
  constexpr double seconds_per_position = 0.02;
  const auto last = std::find_if(tokens.rbegin(), tokens.rend(),
                                 [&](int token) { return token >= timestamp_begin; });
  return last == tokens.rend() ? -1 : (*last - timestamp_begin) * seconds_per_position;
}

}  // namespace

bool is_doubtful(const DecodingResult& result, int timestamp_begin,
                 std::optional<double> speech_end) {
  if (result.avg_logprob < least_logprob || result.looping ||
      result.compression_ratio > most_compression) {
    return true;
  }
  return speech_end && *speech_end - end_of_text(result.tokens, timestamp_begin) > most_unheard_s;
}

}  // namespace engine
