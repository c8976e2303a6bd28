#pragma once

#include <string>
#include <vector>

#include "engine/whisper/transcriber/live_words.h"

// Words of half a second each, the first from `start` on; one with '|' behind it ends a segment.
inline std::vector<engine::HeardWord> heard_words(const std::string& text, double start = 0) {
  std::vector<engine::HeardWord> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    std::string word = " " + text.substr(at, end - at);
    const bool ends_segment = word.back() == '|';
    if (ends_segment) word.pop_back();
    words.push_back(
        {{{.start = start, .end = start + 0.5, .word = word}, {static_cast<int>(words.size())}},
         ends_segment});
    start += 0.5;
    at = end + 1;
  }
  return words;
}
