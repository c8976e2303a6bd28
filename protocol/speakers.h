#pragma once

#include <span>
#include <string>
#include <vector>

#include "protocol/transcript.h"

namespace protocol {

// Returns who speaks in a segment: its own speaker, or the label of its channel, whose number is
// the place among the labels. Empty where nobody has told.
std::string speaker_of(const Segment& segment, std::span<const std::string> channel_labels);

// Returns the name of a speaker whose own is not known, by their number in the order of appearance:
// A, B, … Z, AA, AB, ….
std::string speaker_label(int number);

// A speaker of a recording, and how long they speak in all.
struct SpeakerTime {
  std::string speaker{};
  double seconds = 0;

  friend bool operator==(const SpeakerTime&, const SpeakerTime&) = default;
};

// Returns the speakers in the order of their first turns.
std::vector<SpeakerTime> speaker_times(std::span<const SpeakerTurn> turns);

// Returns the turns of the segments that name a speaker: segments of one speaker that follow each
// other without a pause of a second are one turn.
std::vector<SpeakerTurn> turns_of(std::span<const Segment> segments);

}  // namespace protocol
