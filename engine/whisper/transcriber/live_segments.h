#pragma once

#include <string>
#include <vector>

#include "engine/whisper/words/word.h"
#include "protocol/sentence_end.h"

namespace engine {

using protocol::ends_sentence;

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

}  // namespace engine
