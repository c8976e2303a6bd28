#pragma once

#include <string>
#include <vector>

#include "engine/whisper/words/word.h"

namespace engine {

// A word of `tokens` tokens.
inline AlignedWord made_up_word(std::string text, double start, double end,
                                std::size_t tokens = 1) {
  return {{start, end, std::move(text), 0.5}, std::vector<int>(tokens, 0)};
}

inline std::vector<std::string> texts(const std::vector<AlignedWord>& words) {
  std::vector<std::string> result;
  for (const AlignedWord& word : words) result.push_back(word.word);
  return result;
}

}  // namespace engine
