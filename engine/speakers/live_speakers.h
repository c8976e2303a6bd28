#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/speakers/clustering.h"
#include "engine/speakers/known_voices.h"
#include "engine/speakers/online_voices.h"
#include "engine/speakers/speaker_networks.h"

namespace engine {

// Says who speaks in the turns of a live session, as they end. Voices that are known by a clip have
// its name, others letters in the order in which they are first heard; the same voice keeps its
// name. What it holds is bounded by the number of voices (online_voices.h). It is used on one
// thread.
class LiveSpeakers {
 public:
  // So many seconds at the beginning of a turn tell whose it is: one window of the segmentation.
  // Sound behind them need not be kept.
  static constexpr double most_heard_s = 10;

  LiveSpeakers(std::shared_ptr<const SpeakerNetworks> networks, std::vector<KnownVoice> known,
               const SpeakerBounds& bounds = {.most = most_speakers});

  // Returns the speaker of a turn: of several the one who speaks most; empty where nobody can tell.
  // It takes both networks' time for ten seconds of sound at most. Exceptions of the networks go
  // through.
  //   turn_sound  all of the turn, mono samples in [-1, 1] at 16 kHz
  std::string speaker_of(std::span<const float> turn_sound);

 private:
  std::string name_of(std::size_t voice);

  std::shared_ptr<const SpeakerNetworks> networks_;
  std::vector<KnownVoice> known_;
  OnlineVoices voices_;
  std::vector<std::string> names_;  // of the voices, by their numbers
  int letter_ = 0;                  // the next one
};

}  // namespace engine
