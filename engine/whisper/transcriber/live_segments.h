#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/whisper/words/word.h"

namespace engine {

// Makes segments of committed words. One ends with a sentence, once it is five seconds
// long; or when it is fifteen seconds long.
class LiveSegments {
 public:
  // Takes the next word; returns the segment's words where it is the last one.
  std::vector<AlignedWord> add(const AlignedWord& word);
  // Ends the segment at hand.
  std::vector<AlignedWord> take();

  // Returns the text of the segment at hand.
  const std::string& text() const { return text_; }

 private:
  std::vector<AlignedWord> words_;
  std::string text_;
};

// Returns whether a word has a sign behind it that ends a sentence.
bool ends_sentence(std::string_view word);

}  // namespace engine
