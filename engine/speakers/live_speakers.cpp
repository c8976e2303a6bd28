#include "engine/speakers/live_speakers.h"

#include <algorithm>
#include <utility>

#include "engine/audio/sample_rate.h"
#include "engine/speakers/speaker_analysis.h"
#include "engine/speakers/unit_vector.h"
#include "protocol/speakers.h"

namespace engine {
namespace {

// A speaker in a turn.
struct TurnVoice {
  VectorSum pieces{};
  double speech_s = 0;  // pieces overlap, and what two of them cover counts once
  double end = 0;       // of the last piece
};

TurnVoice foremost_voice(const SpeakerEvidence& heard) {
  const auto speakers = cluster_speakers(heard.embeddings, embedding_size);
  std::vector<TurnVoice> voices;
  for (std::size_t i = 0; i < speakers.size(); ++i) {
    const auto speaker = static_cast<std::size_t>(speakers[i]);
    if (speaker >= voices.size()) voices.resize(speaker + 1);
    TurnVoice& voice = voices[speaker];
    const Piece& piece = heard.pieces[i];
    voice.speech_s += std::max(0.0, piece.end - std::max(piece.begin, voice.end));
    voice.end = std::max(voice.end, piece.end);
    const auto unit =
        unit_vector(std::span(heard.embeddings).subspan(i * embedding_size, embedding_size));
    voice.pieces.sum.resize(unit.size());
    for (std::size_t n = 0; n < unit.size(); ++n) voice.pieces.sum[n] += unit[n];
    ++voice.pieces.count;
  }
  return *std::ranges::max_element(voices, {}, &TurnVoice::speech_s);
}

}  // namespace

LiveSpeakers::LiveSpeakers(std::shared_ptr<const SpeakerNetworks> networks,
                           std::vector<KnownVoice> known, const SpeakerBounds& bounds)
    : networks_(std::move(networks)), known_(std::move(known)), voices_(known_, bounds.most) {
  for (const KnownVoice& voice : known_) names_.push_back(voice.name);
}

std::string LiveSpeakers::speaker_of(std::span<const float> turn_sound) {
  constexpr auto most_samples = static_cast<std::size_t>(most_heard_s * sample_rate_hz);
  SpeakerAnalysis analysis(networks_);
  analysis.push(turn_sound.first(std::min(turn_sound.size(), most_samples)));
  analysis.finish();
  const SpeakerEvidence& heard = analysis.evidence();
  if (heard.pieces.empty()) return "";
  const TurnVoice turn = foremost_voice(heard);
  const auto voice = voices_.voice_of(turn.pieces, turn.speech_s);
  return voice ? name_of(static_cast<std::size_t>(*voice)) : "";
}

// A letter that is the name of a known voice is left out.
std::string LiveSpeakers::name_of(std::size_t voice) {
  while (names_.size() <= voice) {
    std::string label = protocol::speaker_label(letter_++);
    if (std::ranges::find(known_, label, &KnownVoice::name) == known_.end()) {
      names_.push_back(std::move(label));
    }
  }
  return names_[voice];
}

}  // namespace engine
