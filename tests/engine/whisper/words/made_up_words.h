#pragma once

#include <string>
#include <vector>

#include "engine/whisper/words/word.h"

namespace engine {

// A word of `tokens` tokens.
inline Word made_up_word(std::string text, double start, double end, std::size_t tokens = 1) {
  return {std::move(text), std::vector<int>(tokens, 0), start, end, 0.5};
}

inline std::vector<std::string> texts(const std::vector<Word>& words) {
  std::vector<std::string> result;
  for (const Word& word : words) result.push_back(word.text);
  return result;
}

}  // namespace engine
