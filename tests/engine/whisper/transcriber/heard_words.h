#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "engine/whisper/transcriber/live_align.h"

// Words of half a second each, the first from `start` on, that the decoder looked for at their
// ends. A full stop is a sign of its own, of no length.
inline std::vector<engine::HeardWord> heard_words(const std::string& text, double start = 0) {
  std::vector<engine::HeardWord> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    const bool is_sign = word == ".";
    const double word_end = start + (is_sign ? 0 : 0.5);
    words.push_back({{{.start = start,
                       .end = word_end,
                       .word = is_sign ? word : " " + word,
                       .probability = 0.9},
                      {static_cast<int>(words.size())}},
                     std::llrint(word_end * 16'000),
                     is_sign});
    start = word_end;
    at = end + 1;
  }
  return words;
}
