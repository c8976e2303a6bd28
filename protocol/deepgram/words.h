#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "protocol/transcript.h"

namespace protocol::deepgram {

using Json = nlohmann::ordered_json;

// Returns the word as Deepgram's field `word` has it: without punctuation at its ends, ASCII in
// lower case. A word of punctuation alone stays as it is.
std::string bare_word(std::string_view word);

std::string text_of(std::span<const Word> words);

// Returns the mean probability of the words; 0: there are none.
double confidence_of(std::span<const Word> words);

// Returns {word, start, end, confidence, punctuated_word}.
Json word_json(const Word& word);
Json words_json(std::span<const Word> words);

}  // namespace protocol::deepgram
