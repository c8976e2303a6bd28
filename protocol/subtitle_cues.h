#pragma once

#include <span>
#include <string>
#include <vector>

#include "protocol/transcript.h"
#include "protocol/writers.h"

namespace protocol {

// A text that is on the screen from start to end; '\n' separates its lines.
struct Cue {
  double start = 0;
  double end = 0;
  std::string text;
};

// Returns a whole segment as one cue.
Cue segment_cue(const Segment& segment);

// Makes cues from word times, broken as the options say. A segment begins a new cue unless both a
// width and a count of lines are given; then words flow on across segments until the cue is full or
// a pause of more than three seconds comes. With highlight_words there is a cue for each word, and
// one for each pause between words.
std::vector<Cue> word_cues(std::span<const Segment> segments, const WriterOptions& options);

}  // namespace protocol
