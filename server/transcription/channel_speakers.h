#pragma once

#include <array>
#include <span>
#include <string>

#include "protocol/known_speaker.h"
#include "protocol/transcript_event.h"

namespace server {

// Puts the speakers of a recording's two channels together, each of which was heard as a recording
// of its own. Turns come in the order of their starts and name their channel. Letters are given
// anew, in the order in which speakers begin to speak on either channel, so that each stands for
// one of them.
//   labels  what the channels are called, none or two: a letter stands behind that, "Agent A"
//   known   speakers who keep their names, on both channels
protocol::SpeakersFound merge_speakers(const std::array<protocol::SpeakersFound, 2>& channels,
                                       std::span<const std::string> labels,
                                       std::span<const protocol::KnownSpeaker> known);

}  // namespace server
