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
  const bool is_forced = buffer.length() > force_above_s;
  const double least = is_forced ? buffer.begin + kept_s / 2 : buffer.begin;
  const double last_begin = last_word_begin(committed, buffer.begin);
  if (unsure.empty() && last_begin > least) return std::min(last_begin, buffer.end);
  const auto sentence =
      std::find_if(committed.rbegin(), committed.rend(),
                   [](const HeardWord& heard) { return ends_sentence(heard.word.word); });
  if (sentence != committed.rend() && sentence->word.end >= least) {
    return std::min(sentence->word.end, buffer.end);
  }
  if (!is_forced) return buffer.begin;
  double cut = buffer.end - kept_s;
  if (!unsure.empty()) cut = std::min(cut, unsure.front().word.start);
  // A word may be said to begin long before.
  cut = std::max({cut, least, last_begin});
  return std::min(cut, buffer.end);
}

}  // namespace engine
