#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "engine/error.h"
#include "engine/speakers/turns.h"
#include "engine/vad/silero_weights.h"

namespace engine {

// Loads Silero VAD for SpeakerAnalysis; null where it is not installed, or cannot run on this CPU:
// then nobody has a second opinion on the turns. Other errors are those of load_silero().
Result<std::shared_ptr<const SileroWeights>> load_second_opinion(const std::filesystem::path& file);

// Drops turns in which there is no speech: a window's norms lift noise as they lift a quiet voice,
// so that the networks hear one in a room where nobody is. Speech that is very short or quiet may
// be missed by Silero, so a short turn stays if there is speech in another one of its speaker.
//   speech  how likely there is speech in each chunk of 512 samples; empty: nobody knows
void drop_unspoken(std::vector<Turn>& turns, std::span<const float> speech);

}  // namespace engine
