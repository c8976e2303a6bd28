#include "engine/speakers/known_voices.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/speakers/clustering.h"
#include "engine/speakers/speaker_analysis.h"
#include "engine/speakers/stoppable_networks.h"
#include "engine/speakers/unit_vector.h"
#include "protocol/speakers.h"

namespace engine {
namespace {

// Single pieces of one voice may be taken for another's; with more of them it is somebody else.
constexpr double share_of_one = 0.75;
// A cosine of means is that of single pieces over some 0.62, the product of the lengths of both
// means of unit vectors. Pieces of two voices have 0.06 in the middle and at most 0.24 in 95 of 100
// cases, means thus 0.1 and 0.38; those of one voice have 0.44 in nearly all cases, thus 0.7.
constexpr double same_voice = 0.5;  // cosine

Error unusable(const protocol::KnownSpeaker& speaker, const std::string& why) {
  return {Errc::unusable_clip, "The clip of " + speaker.name + " " + why + ".",
          "Use two to ten seconds of only this speaker."};
}

std::string shown_seconds(double seconds) {
  return std::to_string(std::lround(seconds * 10) / 10) + "." +
         std::to_string(std::lround(seconds * 10) % 10) + " s";
}

double speech_s(const FrameVotes& votes) {
  int frames = 0;
  for (std::int64_t frame = 0; frame < votes.size(); ++frame) frames += votes.count(frame) > 0;
  return static_cast<double>(frames) * frame_step / sample_rate_hz;
}

using Direction = std::vector<double>;

// Adds up the directions of each speaker's pieces.
std::vector<Direction> directions_of(std::span<const float> embeddings,
                                     std::span<const int> speakers) {
  std::vector<Direction> sums;
  for (std::size_t i = 0; i < speakers.size(); ++i) {
    const auto speaker = static_cast<std::size_t>(speakers[i]);
    if (speaker >= sums.size()) sums.resize(speaker + 1, Direction(embedding_size));
    const Direction unit = unit_vector(embeddings.subspan(i * embedding_size, embedding_size));
    for (std::size_t n = 0; n < embedding_size; ++n) sums[speaker][n] += unit[n];
  }
  for (Direction& sum : sums) sum = unit_vector(std::span<const double>(sum));
  return sums;
}

// Returns the speaker who has most of the pieces, where it is nearly all of them.
std::optional<int> only_speaker(std::span<const int> speakers) {
  std::vector<int> pieces;
  for (const int speaker : speakers) {
    pieces.resize(std::max(pieces.size(), static_cast<std::size_t>(speaker) + 1));
    ++pieces[static_cast<std::size_t>(speaker)];
  }
  const auto most = std::ranges::max_element(pieces);
  if (*most < share_of_one * static_cast<double>(speakers.size())) return std::nullopt;
  return static_cast<int>(most - pieces.begin());
}

Result<KnownVoice> hear(const protocol::KnownSpeaker& speaker,
                        const std::shared_ptr<const SpeakerNetworks>& networks) {
  const auto pcm = protocol::decode_clip(speaker.clip);
  if (!pcm) {
    return Error{Errc::invalid_option, "the clip of " + speaker.name + " is not audio", ""};
  }
  SpeakerAnalysis analysis(networks);
  analysis.push(*pcm);
  analysis.finish();
  const SpeakerEvidence& heard = analysis.evidence();
  const double heard_s = speech_s(heard.votes);
  if (heard_s == 0) return unusable(speaker, "has no speech");
  if (heard_s < protocol::least_clip_speech_s) {
    return unusable(speaker, "has only " + shown_seconds(heard_s) + " of speech");
  }
  // A piece is where one voice speaks.
  if (heard.pieces.empty()) return unusable(speaker, "has several voices at once");
  const auto speakers = cluster_speakers(heard.embeddings, embedding_size);
  const auto only = only_speaker(speakers);
  if (!only) return unusable(speaker, "has several voices");
  auto directions = directions_of(heard.embeddings, speakers);
  return KnownVoice{speaker.name, std::move(directions[static_cast<std::size_t>(*only)])};
}

struct Pair {
  double similarity = 0;
  std::size_t wanted = 0;
  std::size_t voice = 0;
};

}  // namespace

Result<std::vector<KnownVoice>> hear_known_voices(
    std::span<const protocol::KnownSpeaker> speakers,
    const std::shared_ptr<const SpeakerNetworks>& networks, const std::stop_token& stop) {
  const auto stoppable = std::make_shared<const StoppableNetworks>(networks, stop);
  std::vector<KnownVoice> voices;
  try {
    for (const auto& speaker : speakers) {
      auto voice = hear(speaker, stoppable);
      if (!voice) return voice.error();
      voices.push_back(*std::move(voice));
    }
  } catch (const Exception& e) {
    return e.error;
  }
  return voices;
}

std::vector<int> match_voices(std::span<const float> embeddings, std::span<const int> speakers,
                              std::span<const int> wanted, std::span<const KnownVoice> voices) {
  std::vector<int> found(wanted.size(), -1);
  if (voices.empty()) return found;
  const auto directions = directions_of(embeddings, speakers);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Direction& own = directions[static_cast<std::size_t>(wanted[i])];
    for (std::size_t voice = 0; voice < voices.size(); ++voice) {
      const double similarity =
          std::inner_product(own.begin(), own.end(), voices[voice].direction.begin(), 0.0);
      if (similarity >= same_voice) pairs.push_back({similarity, i, voice});
    }
  }
  // Equal ones stay in the order of the speakers, and then of the voices.
  std::ranges::stable_sort(pairs, std::ranges::greater{}, &Pair::similarity);
  std::vector<bool> given(voices.size());
  for (const Pair& pair : pairs) {
    if (found[pair.wanted] >= 0 || given[pair.voice]) continue;
    found[pair.wanted] = static_cast<int>(pair.voice);
    given[pair.voice] = true;
  }
  return found;
}

std::vector<std::string> speaker_names(std::span<const int> voices_of,
                                       std::span<const KnownVoice> voices) {
  std::vector<std::string> names;
  int letter = 0;
  for (const int voice : voices_of) {
    if (voice >= 0) {
      names.push_back(voices[static_cast<std::size_t>(voice)].name);
      continue;
    }
    std::string label = protocol::speaker_label(letter++);
    while (std::ranges::find(voices, label, &KnownVoice::name) != voices.end()) {
      label = protocol::speaker_label(letter++);
    }
    names.push_back(std::move(label));
  }
  return names;
}

}  // namespace engine
