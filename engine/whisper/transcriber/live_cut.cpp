#include "engine/whisper/transcriber/live_cut.h"

#include <algorithm>

#include "engine/whisper/transcriber/live_segments.h"

namespace engine {

double last_word_begin(std::span<const HeardWord> words, double otherwise) {
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    if (!word->is_sign) return word->word.start;
  }
  return otherwise;
}

double live_cut(const LiveSpan& buffer, std::span<const HeardWord> committed,
                std::span<const HeardWord> unsure) {
  if (buffer.length() <= cut_above_s) return buffer.begin;
  const double last_begin = last_word_begin(committed, buffer.begin);
  if (unsure.empty() && last_begin > buffer.begin) return std::min(last_begin, buffer.end);
  for (auto word = committed.rbegin(); word != committed.rend(); ++word) {
    if (ends_sentence(word->word.word)) return std::clamp(word->word.end, buffer.begin, buffer.end);
  }
  if (buffer.length() <= force_above_s) return buffer.begin;
  double cut = buffer.end - kept_s;
  if (!unsure.empty()) cut = std::min(cut, unsure.front().word.start);
  // A word may be said to begin long before.
  cut = std::max({cut, buffer.begin + kept_s / 2, last_begin});
  return std::min(cut, buffer.end);
}

}  // namespace engine
