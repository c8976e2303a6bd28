#include "engine/whisper/words/hallucinations.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/whisper/constants.h"

namespace engine {
namespace {

// Words within this of a window's ends may have been cut off there.
constexpr double margin_s = 2;

double seconds(std::int64_t frames) {
  return static_cast<double>(frames) / frames_per_second;
}

std::int64_t to_frames(double seconds) {
  return std::llrint(seconds * frames_per_second);
}

// Any part of the signs counts as one, as in the reference.
bool is_punctuation(const AlignedWord& word) {
  constexpr std::string_view signs = "\"'“¿([{-\"'.。,，!！?？:：”)]}、";
  return signs.find(word.word) != signs.npos;
}

const SegmentWords* first_with_words(std::span<const SegmentWords> segments) {
  const auto found =
      std::ranges::find_if(segments, [](const SegmentWords& s) { return !s.words.empty(); });
  return found == segments.end() ? nullptr : &*found;
}

}  // namespace

double anomaly_score(const AlignedWord& word) {
  constexpr double improbable = 0.15;
  constexpr double shortest_s = 0.133;
  constexpr double longest_s = 2;
  const double duration = word.end - word.start;
  double score = 0;
  if (word.probability < improbable) score += 1;
  if (duration < shortest_s) score += (shortest_s - duration) * 15;
  if (duration > longest_s) score += duration - longest_s;
  return score;
}

bool is_anomalous(const SegmentWords& segment) {
  if (segment.words.empty()) return false;
  constexpr int most_words = 8;
  double score = 0;
  int count = 0;
  for (const AlignedWord& word : segment.words) {
    if (is_punctuation(word)) continue;
    score += anomaly_score(word);
    if (++count == most_words) break;
  }
  return score >= 3 || score + 0.01 >= count;
}

std::optional<std::int64_t> leading_silence(std::span<const SegmentWords> segments,
                                            const WindowPlace& place, double threshold) {
  const SegmentWords* first = first_with_words(segments);
  if (first == nullptr || !is_anomalous(*first)) return {};
  const double gap = first->start - seconds(place.seek);
  if (gap <= threshold) return {};
  // A gap of no frame would have the same window decoded for ever.
  const std::int64_t frames = to_frames(gap);
  return frames > 0 ? std::optional(frames) : std::nullopt;
}

std::optional<HallucinationCut> find_hallucination(std::span<const SegmentWords> segments,
                                                   const WindowPlace& place, double threshold,
                                                   double last_speech_end) {
  const double window_start = seconds(place.seek);
  const double window_end = seconds(place.seek + window_frames);
  const double content_end = seconds(place.content_frames);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const SegmentWords& segment = segments[i];
    if (segment.words.empty()) continue;
    if (is_anomalous(segment)) {
      const SegmentWords* next = first_with_words(segments.subspan(i + 1));
      const double next_start =
          next != nullptr ? next->words.front().start : window_start + seconds(place.frames);
      const bool silence_before = segment.start - last_speech_end > threshold ||
                                  segment.start < threshold ||
                                  segment.start - window_start < margin_s;
      const bool silence_after = next_start - segment.end > threshold ||
                                 (next != nullptr && is_anomalous(*next)) ||
                                 window_end - segment.end < margin_s;
      if (silence_before && silence_after) {
        if (content_end - segment.end < threshold) {
          return HallucinationCut{i, place.content_frames};
        }
        return HallucinationCut{i, to_frames(std::max(window_start + 1, segment.start))};
      }
    }
    last_speech_end = segment.end;
  }
  return {};
}

}  // namespace engine
