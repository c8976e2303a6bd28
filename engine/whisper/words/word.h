#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace engine {

// A word and when it was said.
struct Word {
  std::string text;         // with its leading space; empty where a neighbour has taken it over
  std::vector<int> tokens;  // empty where the text is
  double start = 0;         // seconds
  double end = 0;
  double probability = 0;  // mean over the tokens it had when it was aligned
};

// What the rules on words see of a segment, and change. Times are seconds from the start of the
// recording.
struct SegmentWords {
  double start = 0;
  double end = 0;
  std::size_t text_tokens = 0;  // how many of the segment's tokens are below end-of-text
  std::vector<Word> words;
};

}  // namespace engine
