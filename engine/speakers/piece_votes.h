#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/speakers/evidence.h"

namespace engine {

// The pieces vote on a frame: whose it is, and how much their word is worth, from 0 to 1.
struct PieceVote {
  int speaker = -1;  // -1: no piece covers the frame
  float weight = 0;
};

// The pieces' votes on any frame. A piece that is nearly as close to a second speaker may hold two
// voices, and counts less.
class PieceVotes {
 public:
  // `speakers` has the speaker of each piece; both must outlive this object.
  PieceVotes(const SpeakerEvidence& evidence, std::span<const int> speakers);

  int speakers() const { return n_speakers_; }

  // Returns the votes on the frames from `first` on.
  std::vector<PieceVote> on_frames(std::int64_t first, int frames) const;

 private:
  const SpeakerEvidence& evidence_;
  std::span<const int> speakers_;
  int n_speakers_ = 0;
  std::vector<float> certainty_;  // of each piece
};

}  // namespace engine
