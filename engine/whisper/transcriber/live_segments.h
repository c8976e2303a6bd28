#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/whisper/transcriber/live_words.h"

namespace engine {

// Makes segments of committed words. One ends where the decoder has ended one; with a sentence,
// once it is five seconds long; or when it is fifteen seconds long.
class LiveSegments {
 public:
  // Takes the next word; returns the segment's words where it is the last one.
  std::vector<AlignedWord> add(const HeardWord& heard);
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
