#pragma once

#include <span>
#include <string>

#include "protocol/transcript.h"

namespace protocol {

// Returns who speaks in a segment: its own speaker, or the label of its channel, whose number is
// the place among the labels. Empty where nobody has told.
std::string speaker_of(const Segment& segment, std::span<const std::string> channel_labels);

}  // namespace protocol
