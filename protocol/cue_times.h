#pragma once

#include <span>

#include "protocol/subtitle_cues.h"

namespace protocol {

// Gives each cue that has no length, or ends before it starts, a tenth of a second: from the
// silence after or before it, or else at most half the time of a neighbor. Several at one time
// share what there is. Other cues keep their times unless a neighbor takes a share.
//   cues  of one speaker, in the order in which they are said
void give_time(std::span<Cue> cues);

}  // namespace protocol
