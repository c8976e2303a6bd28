#pragma once

#include <optional>
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

// Says who speaks in the segments of a transcription, one after the other. A word belongs to whom
// most of its middle half lies in the turns of; outside of all turns to the nearest within a
// second, or to the speaker of the word before.
class WordSpeakers {
 public:
  // `turns` do not overlap.
  explicit WordSpeakers(std::vector<Turn> turns) : turns_(std::move(turns)) {}

  // Returns the segment in parts that each have one speaker. Ids count on over all parts, and
  // tokens stay with the first part of a segment. A segment without words has one speaker.
  std::vector<protocol::Segment> label(protocol::Segment segment);

 private:
  int speaker_of(double start, double end);
  void smooth(std::span<const protocol::Word> words, std::span<int> speakers) const;
  double longest_turn(double start, double end, int speaker) const;

  std::vector<Turn> turns_;
  int before_ = -1;  // the speaker of the word before; -1: none
  int next_id_ = 0;
};

}  // namespace engine
