#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/speakers/turns.h"
#include "protocol/transcribe_options.h"
#include "protocol/transcript.h"

namespace engine {

// Returns the bounds that the options set. Fails with invalid_option where they contradict each
// other.
Result<SpeakerBounds> speaker_bounds(const protocol::TranscribeOptions& options);

// Returns the turns as the protocol has them. `names` are those of the speakers by their numbers;
// whoever is beyond them has a letter.
std::vector<protocol::SpeakerTurn> protocol_turns(std::span<const Turn> turns,
                                                  std::span<const std::string> names = {});

}  // namespace engine
