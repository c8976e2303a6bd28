#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/whisper/text/tokenizer.h"

namespace engine {

struct TokenWord {
  std::string word;  // with its leading space
  std::vector<int> tokens;
};

// Groups tokens into words: at spaces and signs, or for languages written without spaces (zh ja th
// lo my yue) at every whole character.
std::vector<TokenWord> split_to_word_tokens(const Tokenizer& tokenizer, std::span<const int> tokens,
                                            std::string_view language);

}  // namespace engine
