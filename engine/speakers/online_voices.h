#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/speakers/average_linkage.h"
#include "engine/speakers/known_voices.h"
#include "engine/speakers/speaker_frames.h"

namespace engine {

// Tells voices apart turn by turn, as they are heard: each turn is given to the nearest voice, or
// founds a new one. Near is what it is for cluster_speakers(): the mean cosine distance between the
// pieces of both (average linkage), for which the sums of their unit vectors suffice. What was said
// of a turn stays said, so voices are never joined. A voice takes 1.5 KB.
class OnlineVoices {
 public:
  // Turns with less speech, in seconds, are given to a voice that is clearly near, or to none; they
  // neither found nor change one.
  static constexpr double least_speech_s = 1.5;

  // The known voices have the numbers from 0 on. `most`: so many voices are told apart at most, and
  // behind that a turn goes to the nearest of them.
  explicit OnlineVoices(std::span<const KnownVoice> known, int most = most_speakers);

  // Returns the number of the voice of a turn; nothing where nobody can tell.
  //   turn      the sum of the unit vectors of the turn's pieces
  //   speech_s  how long the voice speaks in it
  std::optional<int> voice_of(const VectorSum& turn, double speech_s);

 private:
  struct Voice {
    VectorSum pieces{};
    bool is_heard = false;
  };

  std::optional<std::size_t> nearest(const VectorSum& turn, bool of_heard) const;
  bool is_clearly_near(const VectorSum& turn, std::size_t voice) const;
  bool is_full() const;

  std::vector<Voice> voices_{};
  int most_;
};

}  // namespace engine
