#include "engine/whisper/words/word_durations.h"

#include <algorithm>
#include <string_view>
#include <vector>

// The rules of openai/whisper timing.py `add_word_timestamps`.

namespace engine {
namespace {

constexpr double max_median = 0.7;

double duration(const AlignedWord& word) {
  return word.end - word.start;
}

// Any part of the marks counts as one, as in the reference; a word with its space is none.
bool is_sentence_end(const AlignedWord& word) {
  constexpr std::string_view marks = ".。!！?？";
  return marks.find(word.word) != marks.npos;
}

// `values` is not empty.
double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

DurationLimits duration_limits(std::span<const AlignedWord> words) {
  std::vector<double> durations;
  for (const AlignedWord& word : words) {
    if (duration(word) != 0) durations.push_back(duration(word));
  }
  if (durations.empty()) return {};
  const double typical = std::min(max_median, median(std::move(durations)));
  return {typical, typical * 2};
}

void shorten_at_sentence_ends(std::span<AlignedWord> words, const DurationLimits& limits) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (duration(words[i]) <= limits.max) continue;
    if (is_sentence_end(words[i])) {
      words[i].end = words[i].start + limits.max;
    } else if (is_sentence_end(words[i - 1])) {
      words[i].start = words[i].end - limits.max;
    }
  }
}

void shorten_after_pause(std::span<AlignedWord> words, const DurationLimits& limits,
                         double last_speech_end) {
  if (words.empty() || words[0].end - last_speech_end <= limits.median * 4) return;
  const bool has_second = words.size() > 1;
  const bool long_pair = has_second && words[1].end - words[0].start > limits.max * 2;
  if (duration(words[0]) <= limits.max && !long_pair) return;
  if (has_second && duration(words[1]) > limits.max) {
    const double boundary = std::max(words[1].end / 2, words[1].end - limits.max);
    words[0].end = boundary;
    words[1].start = boundary;
  }
  words[0].start = std::max(0.0, words[0].end - limits.max);
}

}  // namespace engine
