#pragma once

#include <span>

#include "engine/whisper/words/word.h"

namespace engine {

// The lengths of a window's words, in seconds: the rules below take what is far longer for a pause
// that the alignment has given to a word.
struct DurationLimits {
  double median = 0;  // of the words that have a length, at most 0.7; 0 where none has
  double max = 0;     // twice that
};

DurationLimits duration_limits(std::span<const AlignedWord> words);

// Shortens to `max` a mark that ends a sentence, from behind, and the word after such a mark, from
// in front. It is for words whose marks are still words of their own.
void shorten_at_sentence_ends(std::span<AlignedWord> words, const DurationLimits& limits);

// Shortens the first two words of a segment, if they are too long, where a pause is before the end
// of the first of them.
//   last_speech_end: when the words before were over, on the clock of `words`
void shorten_after_pause(std::span<AlignedWord> words, const DurationLimits& limits,
                         double last_speech_end);

}  // namespace engine
