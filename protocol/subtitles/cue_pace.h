#pragma once

#include <span>

#include "protocol/subtitle_cues.h"
#include "protocol/subtitles/rules.h"

namespace protocol::subtitles {

// A cue that makes room for others keeps so many seconds at least.
inline constexpr double shortest_cut_s = 0.1;

// Gives cues the time that readers need: the end moves into the silence after the cue until its
// text can be read, and the next cue begins after the style's gap. A silence shorter than half a
// second is closed up to that gap. Starts stay.
//   cues      in the order of their starts, each with a length, without overlaps
//   duration  of the recording in seconds; 0: unknown
void pace_cues(std::span<Cue> cues, double duration, const Rules& rules);

// Returns the seconds that a reader needs for the text.
double reading_s(std::string_view text, const Rules& rules);

// Returns the time that a cue should last: what a reader needs, within the limits of the style.
double needed_s(const Cue& cue, const Rules& rules);

}  // namespace protocol::subtitles
