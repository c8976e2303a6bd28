#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/speakers/evidence.h"

namespace engine {

constexpr int most_speakers = 64;

// The speakers of a recording, frame by frame.
struct SpeakerFrames {
  std::vector<std::uint64_t> active{};  // a bit for each speaker
  std::vector<std::int8_t> foremost{};  // the one whom a single word belongs to; -1: nobody
};

// Puts together what the windows and the pieces say. The voices of each window are matched with the
// speakers by the frames that they have in common; windows and pieces vote in each frame, and as
// many speakers are active as the windows count ("reconstruction").
//   speakers  the speaker of each piece, below most_speakers
//   most      so many speak at once at most
SpeakerFrames reconstruct(const SpeakerEvidence& evidence, std::span<const int> speakers, int most);

}  // namespace engine
