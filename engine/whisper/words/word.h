#pragma once

#include <cstddef>
#include <vector>

#include "protocol/transcript.h"

namespace engine {

// A word of the transcript, and the tokens that it was aligned by. Its text is empty where a
// neighbour has taken it over, and then it has no tokens. The probability is the mean over the
// tokens that it had when it was aligned.
struct AlignedWord : protocol::Word {
  std::vector<int> tokens{};
  // The position, 20 ms each from the window's start, where the decoder looked for the last of
  // those tokens; no later than the word's end.
  int attended = 0;
};

// The part of a segment that the rules on words see and change. Times are seconds from the start of
// the recording.
struct SegmentWords {
  double start = 0;
  double end = 0;
  std::size_t text_tokens = 0;  // how many of the segment's tokens are below end-of-text
  std::vector<AlignedWord> words{};
};

}  // namespace engine
