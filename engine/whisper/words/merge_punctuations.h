#pragma once

#include <span>
#include <string_view>

#include "engine/whisper/words/word.h"

namespace engine {

// The signs that belong to the word after them, and those that belong to the word before them. They
// are openai/whisper's defaults.
struct Punctuation {
  std::string_view prepended = "\"'“¿([{-";
  std::string_view appended = "\"'.。,，!！?？:：”)]}、";
};

// Moves text and tokens of words that are nothing but such signs to their neighbours and leaves
// them empty, so that a word's place in the list stays. Times are not touched.
// openai/whisper timing.py `merge_punctuations`, with its notion of a sign: any part of the strings
// above, two neighbouring signs and the empty word included.
void merge_punctuations(std::span<AlignedWord> words, const Punctuation& punctuation);

}  // namespace engine
