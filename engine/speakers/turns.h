#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/speakers/clustering.h"
#include "engine/speakers/evidence.h"
#include "engine/speakers/known_voices.h"
#include "engine/speakers/speaker_frames.h"

namespace engine {

// A stretch of time in which one speaker speaks; those of others may overlap it.
struct Turn {
  double start = 0;  // seconds
  double end = 0;
  int speaker = 0;  // numbered in the order of the first turns

  friend bool operator==(const Turn&, const Turn&) = default;
};

struct Turns {
  std::vector<Turn> all{};           // in the order of their starts
  std::vector<Turn> exclusive{};     // one speaker at a time, for words; the same numbers
  std::vector<int> speakers{};       // the number in the frames of each speaker in the turns
  std::vector<std::string> names{};  // what each speaker is called; empty after make_turns()
};

// Makes turns of frames: pauses of one speaker that are shorter than half a second, and in which
// nobody else speaks, are closed; what is shorter than a tenth of a second is dropped.
//   speech  see drop_unspoken()
Turns make_turns(const SpeakerFrames& frames, double recording_s,
                 std::span<const float> speech = {});

// Tells who spoke when in a recording that was heard to its end. Speakers whose voice is known have
// its name, others letters.
Turns find_turns(const SpeakerEvidence& evidence, const SpeakerBounds& bounds = {},
                 std::span<const KnownVoice> voices = {});

}  // namespace engine
