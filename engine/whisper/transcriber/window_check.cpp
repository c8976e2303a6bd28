#include "engine/whisper/transcriber/window_check.h"

#include <algorithm>

#include "engine/whisper/constants.h"
#include "engine/whisper/transcriber/window_segments.h"

namespace engine {
namespace {

// These thresholds caught every early end in the clips of docs/measurements/short-windows.md.
constexpr double least_logprob = -0.8;
constexpr double most_compression = 2.4;
constexpr double most_missing_s = 1.5;

// Returns the last timestamp of a text, in seconds; -1 if it has none.
double end_of_text(const std::vector<int>& tokens, int timestamp_begin) {
  constexpr double seconds_per_position = 0.02;
  const auto last = std::find_if(tokens.rbegin(), tokens.rend(),
                                 [&](int token) { return is_timestamp(token, timestamp_begin); });
  return last == tokens.rend() ? -1 : (*last - timestamp_begin) * seconds_per_position;
}

// Returns whether speech may be missing at the end of the text.
bool may_end_early(const std::vector<int>& tokens, int timestamp_begin, double speech_end) {
  const bool is_empty =
      std::ranges::all_of(tokens, [&](int token) { return is_timestamp(token, timestamp_begin); });
  if (is_empty) return speech_end > 0;
  // The next window begins at the last pair of timestamps, so no speech after it is lost.
  const bool next_window_continues =
      split_window(tokens, timestamp_begin, window_frames).advance < window_frames;
  if (next_window_continues) return false;
  return speech_end - end_of_text(tokens, timestamp_begin) > most_missing_s;
}

}  // namespace

bool is_doubtful(const DecodingResult& result, int timestamp_begin,
                 std::optional<double> speech_end, std::optional<double> no_speech_threshold) {
  if (result.avg_logprob < least_logprob || result.looping ||
      result.compression_ratio > most_compression) {
    return true;
  }
  if (no_speech_threshold && result.no_speech_prob > *no_speech_threshold) return true;
  return speech_end && may_end_early(result.tokens, timestamp_begin, *speech_end);
}

Result<bool> is_doubtful(const DecodingResult& result, const Tokenizer& tokenizer,
                         const Hearing& hearing, const Clip& place,
                         const TranscriptionOptions& options) {
  std::optional<double> speech_end;
  if (!options.without_timestamps) {
    const auto end = hearing.last_spoken(place);
    if (!end) return end.error();
    speech_end = static_cast<double>(*end - place.begin) / frames_per_second;
  }
  return is_doubtful(result, tokenizer.timestamp_begin(), speech_end, options.no_speech_threshold);
}

}  // namespace engine
