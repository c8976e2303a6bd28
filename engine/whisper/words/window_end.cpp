#include "engine/whisper/words/window_end.h"

#include <cmath>

#include "engine/whisper/constants.h"

namespace engine {
namespace {

// Returns the frame at which the words say that the next window should begin.
std::int64_t seek_by_words(std::span<const SegmentWords> segments, const WindowPlace& place,
                           const TimestampEnd& timestamps, std::optional<double> threshold) {
  if (timestamps.silence_until_end) return timestamps.seek;
  const auto speech_end = end_of_speech(segments);
  if (!speech_end) return timestamps.seek;
  // A last word that ends where the window begins would have it decoded for ever.
  const std::int64_t behind_words = std::llrint(*speech_end * 100);
  if (behind_words <= place.seek) return timestamps.seek;
  if (!threshold) return behind_words;
  const double window_end = static_cast<double>(place.seek + window_frames) / 100;
  // A rest this short cannot hold a silence that would be worth another look.
  return window_end - *speech_end > *threshold ? behind_words : place.seek + place.frames;
}

}  // namespace

std::optional<double> end_of_speech(std::span<const SegmentWords> segments) {
  for (std::size_t i = segments.size(); i-- > 0;) {
    if (!segments[i].words.empty()) return segments[i].words.back().end;
  }
  if (segments.empty()) return {};
  return segments.back().end;
}

WindowEnd end_window(std::span<const SegmentWords> segments, const WindowPlace& place,
                     const TimestampEnd& timestamps, double last_speech_end,
                     std::optional<double> hallucination_silence_threshold) {
  const auto threshold = hallucination_silence_threshold;
  WindowEnd end{seek_by_words(segments, place, timestamps, threshold), segments.size(), false};
  if (!threshold) return end;
  if (const auto silence = leading_silence(segments, place, *threshold)) {
    return {place.seek + *silence, 0, true};
  }
  if (const auto cut = find_hallucination(segments, place, *threshold, last_speech_end)) {
    return {cut->seek, cut->segment, false};
  }
  return end;
}

}  // namespace engine
