#pragma once

#include <span>

#include "protocol/subtitle_cues.h"
#include "protocol/subtitles/rules.h"

namespace protocol::subtitles {

// Gives cues the time that readers need: the end moves into the silence after the cue until its
// text can be read, and the next cue begins after the style's gap. A silence shorter than half a
// second is closed up to that gap. A cue that overlaps the next one ends before it if it lasts long
// enough then. Starts stay.
//   cues      in the order of their starts, each with a length
//   duration  of the recording in seconds; 0: unknown
void pace_cues(std::span<Cue> cues, double duration, const Rules& rules);

// Returns the seconds that a reader needs for the text.
double reading_s(std::string_view text, const Rules& rules);

}  // namespace protocol::subtitles
