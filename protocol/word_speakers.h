#pragma once

#include <span>
#include <vector>

#include "protocol/transcript.h"

namespace protocol {

// Says who speaks in the segments of a whole transcription, which are in order. A word belongs to
// whom most of its middle half lies in the turns of; outside of all turns to the nearest within a
// second, else to the speaker of the word before or behind in its segment, else of the segment
// before, and of the nearest turn before the first. Nobody speaks only where there is no turn.
// Returns the segments in parts that each have one
// speaker, with ids that count from 0. A segment without words is one part. Each channel is a
// recording of its own.
//   turns  of one speaker at a time; turns that name a channel count in that channel alone
std::vector<Segment> name_speakers(std::span<const Segment> segments,
                                   std::span<const SpeakerTurn> turns);

}  // namespace protocol
