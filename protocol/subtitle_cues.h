#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/transcript.h"
#include "protocol/writers.h"

namespace protocol {

// A part of a cue's text, in bytes.
struct CueMark {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const CueMark&, const CueMark&) = default;
};

// The beginning of a word in a cue's text, in bytes, and when it is said.
struct CueWord {
  std::size_t begin = 0;
  double start = 0;

  friend bool operator==(const CueWord&, const CueWord&) = default;
};

// A reply is what a second speaker says at the same time: it is the second line of the cue.
struct CueReply {
  std::string text{};  // one line, without its speaker
  std::string speaker{};
  bool is_channel = false;

  friend bool operator==(const CueReply&, const CueReply&) = default;
};

// A text that is on the screen from start to end; '\n' separates its lines.
struct Cue {
  double start = 0;
  double end = 0;
  std::string text{};                   // plain text without its speaker
  std::optional<CueMark> underlined{};  // the word that is said
  std::string speaker{};                // empty: unknown
  bool is_channel = false;              // the speaker is the label of a channel
  std::vector<CueWord> words{};         // in order; empty: unknown, or not asked for
  bool is_right_to_left = false;        // the lines are read so
  std::optional<CueReply> reply{};      // the text has one line then, and files have a dash in each

  friend bool operator==(const Cue&, const Cue&) = default;
};

// Gives a cue the speaker of its segment, or else the label of the channel.
void name_cue(Cue& cue, const Segment& segment, const WriterOptions& options);

// Returns a segment as one cue, or nothing if it has no text.
std::optional<Cue> segment_cue(const Segment& segment, const WriterOptions& options);

// Makes cues from word timestamps, broken as the options say, in the order of their starts. A
// segment begins a new cue unless both a width and a count of lines are given; then words flow on
// across segments until the cue is full, a pause of more than three seconds comes, or another
// speaker or channel begins. The label of a speaker counts in the width. With highlight_words there
// is a cue for each word, and one for each pause between words. A segment without words is one cue.
std::vector<Cue> word_cues(std::span<const Segment> segments, const WriterOptions& options);

}  // namespace protocol
