#pragma once

#include <vector>

#include "protocol/subtitle_cues.h"
#include "protocol/subtitles/rules.h"

namespace protocol::subtitles {

// A cue, and a segment of its speaker.
struct VoicedCue {
  Cue cue{};
  const Segment* segment = nullptr;
};

// Separates cues of people who speak at the same time. Two cues of one line each become one cue
// with a reply if the first one could not be read before the second one begins. Of others the first
// one ends early, or the next one begins late, by two seconds at most unless many follow each other
// within a second. No cue moves beyond the end of the recording.
//   cues      in the order of their starts, each with a length
//   duration  of the recording in seconds; 0: unknown
std::vector<Cue> without_overlaps(std::vector<VoicedCue> cues, double duration, const Rules& rules);

}  // namespace protocol::subtitles
