#include "engine/speakers/speaker_protocol.h"

#include <algorithm>

#include "protocol/speakers.h"

namespace engine {
Result<SpeakerBounds> speaker_bounds(const protocol::TranscribeOptions& options) {
  SpeakerBounds bounds;
  if (options.num_speakers) {
    if (options.min_speakers.value_or(1) > *options.num_speakers ||
        options.max_speakers.value_or(most_speakers) < *options.num_speakers) {
      return Error{Errc::invalid_option,
                   "num_speakers is " + std::to_string(*options.num_speakers) +
                       ", which min_speakers or max_speakers rules out",
                   "Give num_speakers alone."};
    }
    return SpeakerBounds{*options.num_speakers, *options.num_speakers};
  }
  bounds.least = options.min_speakers.value_or(bounds.least);
  bounds.most = options.max_speakers.value_or(std::max(bounds.most, bounds.least));
  if (bounds.least > bounds.most) {
    return Error{Errc::invalid_option,
                 "min_speakers is " + std::to_string(bounds.least) + " and max_speakers " +
                     std::to_string(bounds.most),
                 "Let min_speakers be the smaller one."};
  }
  return bounds;
}

std::vector<protocol::SpeakerTurn> protocol_turns(std::span<const Turn> turns,
                                                  std::span<const std::string> names) {
  std::vector<protocol::SpeakerTurn> labelled;
  for (const Turn& turn : turns) {
    const auto number = static_cast<std::size_t>(turn.speaker);
    labelled.push_back(
        {turn.start, turn.end,
         number < names.size() ? names[number] : protocol::speaker_label(turn.speaker)});
  }
  return labelled;
}

}  // namespace engine
