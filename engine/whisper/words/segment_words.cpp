#include "engine/whisper/words/segment_words.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/whisper/words/word_durations.h"

namespace engine {
namespace {

// A word may reach so far over its segment before the segment's own time is taken.
constexpr double tolerance_s = 0.5;

double to_hundredths(double seconds) {
  return std::nearbyint(seconds * 100) / 100;
}

void fit_start(SegmentWords& segment, const DurationLimits& limits) {
  AlignedWord& first = segment.words.front();
  if (segment.start < first.end && segment.start - tolerance_s > first.start) {
    first.start = std::max(0.0, std::min(first.end - limits.median, segment.start));
  } else {
    segment.start = first.start;
  }
}

void fit_end(SegmentWords& segment, const DurationLimits& limits) {
  AlignedWord& last = segment.words.back();
  if (segment.end > last.start && segment.end + tolerance_s < last.end) {
    last.end = std::max(last.start + limits.median, segment.end);
  } else {
    segment.end = last.end;
  }
}

}  // namespace

void give_words_to_segments(std::vector<AlignedWord> words, double window_start,
                            double last_speech_end, const Punctuation& punctuation,
                            std::span<SegmentWords> segments) {
  const DurationLimits limits = duration_limits(words);
  shorten_at_sentence_ends(words, limits);
  merge_punctuations(words, punctuation);

  auto next = words.begin();
  for (SegmentWords& segment : segments) {
    segment.words.clear();
    for (std::size_t tokens = 0; next != words.end() && tokens < segment.text_tokens; ++next) {
      tokens += next->tokens.size();
      if (next->word.empty()) continue;
      next->start = to_hundredths(window_start + next->start);
      next->end = to_hundredths(window_start + next->end);
      next->text_tokens = static_cast<int>(next->tokens.size());
      segment.words.push_back(std::move(*next));
    }
    if (segment.words.empty()) continue;
    shorten_after_pause(segment.words, limits, last_speech_end);
    fit_start(segment, limits);
    fit_end(segment, limits);
    last_speech_end = segment.end;
  }
}

}  // namespace engine
