#pragma once

#include <cstdint>
#include <vector>

#include "engine/speakers/frame_votes.h"
#include "engine/speakers/piece_cutter.h"
#include "engine/speakers/voices.h"

namespace engine {

constexpr int embedding_size = 192;

// All that the networks say of a recording. For ten hours of speech it takes 55 MB.
struct SpeakerEvidence {
  std::int64_t samples = 0;
  std::vector<VoiceWindow> windows{};
  FrameVotes votes{};
  std::vector<Piece> pieces{};      // in the order of their beginnings
  std::vector<float> embeddings{};  // [pieces × embedding_size]
  // How likely there is speech in each chunk of 512 samples, as Silero VAD hears it; empty: it does
  // not listen.
  std::vector<float> speech{};
};

}  // namespace engine
