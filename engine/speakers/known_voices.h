#pragma once

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/error.h"
#include "engine/speakers/speaker_networks.h"
#include "protocol/known_speaker.h"

namespace engine {

// A voice that has a name.
struct KnownVoice {
  std::string name{};
  std::vector<double> direction{};  // a unit vector of embedding_size numbers
};

// Hears the clips of speakers. Errors: unusable_clip where one has no speech, too little of it, or
// several voices; invalid_option where it is no clip; cancelled on a stop request, which is heeded
// between two batches of the networks.
Result<std::vector<KnownVoice>> hear_known_voices(
    std::span<const protocol::KnownSpeaker> speakers,
    const std::shared_ptr<const SpeakerNetworks>& networks, const std::stop_token& stop);

// Says which of the known voices each speaker of a recording has; -1: none. Nobody has two voices,
// and no voice is given twice: the most similar pair comes first, and then the next one.
//   embeddings  [pieces × embedding_size]
//   speakers    the speaker of each piece
//   wanted      the speakers that are asked for, in the order of the answer
std::vector<int> match_voices(std::span<const float> embeddings, std::span<const int> speakers,
                              std::span<const int> wanted, std::span<const KnownVoice> voices);

// Returns what the speakers of a recording are called: by the name of their voice, others by
// letters in their order. Letters that are a given name are left out.
//   voices_of  the voice of each speaker, as match_voices() says
std::vector<std::string> speaker_names(std::span<const int> voices_of,
                                       std::span<const KnownVoice> voices);

}  // namespace engine
