#include "engine/speakers/known_voices.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/speakers/speaker_analysis.h"
#include "engine/speakers/speaker_protocol.h"
#include "engine/speakers/turns.h"
#include "tests/engine/speakers/fake_networks.h"

namespace engine {
namespace {

using protocol::KnownSpeaker;
using Names = std::vector<std::string>;

Result<std::vector<KnownVoice>> heard(const std::vector<KnownSpeaker>& speakers) {
  return hear_known_voices(speakers, std::make_shared<FakeNetworks>(), {});
}

KnownSpeaker named(std::string name, const Speech& speech) {
  return {std::move(name), protocol::encode_clip(sound(speech))};
}

// Returns the error of a clip as "code: message"; empty: it is usable.
std::string problem(const Speech& speech) {
  const auto voices = heard({named("Ada", speech)});
  return voices ? "" : std::string(name(voices.error().code)) + ": " + voices.error().message;
}

TEST(KnownVoices, AreHeardInClips) {
  const auto voices = heard({named("Ada", {{3, 0.2F}}), named("Grace", {{0.5, 0}, {1.2, 0.1F}})});
  ASSERT_TRUE(voices);
  ASSERT_EQ(voices->size(), 2U);
  EXPECT_EQ((*voices)[0].name, "Ada");
  EXPECT_DOUBLE_EQ((*voices)[0].direction[2], 1);
  EXPECT_DOUBLE_EQ((*voices)[1].direction[1], 1);
  EXPECT_TRUE(heard({})->empty());
}

TEST(KnownVoices, AreNotHeardInOtherClips) {
  EXPECT_EQ(problem({{5, 0}}), "unusable_clip: The clip of Ada has no speech.");
  EXPECT_EQ(problem({{2, 0}, {0.5, 0.1F}, {2, 0}}),
            "unusable_clip: The clip of Ada has only 0.5 s of speech.");
  EXPECT_EQ(problem({{0.9, 0.1F}}), "unusable_clip: The clip of Ada has only 0.9 s of speech.");
  EXPECT_EQ(problem({}), "unusable_clip: The clip of Ada has no speech.");
  EXPECT_EQ(problem({{4, 0.1F}, {4, 0.2F}}), "unusable_clip: The clip of Ada has several voices.");
  EXPECT_EQ(problem({{4, 0.3F}}), "unusable_clip: The clip of Ada has several voices at once.");
  EXPECT_EQ(heard({{"Ada", "no clip!"}}).error().code, Errc::invalid_option);
}

TEST(KnownVoices, AreNotHeardAfterAStopRequest) {
  std::stop_source stop;
  stop.request_stop();
  const std::vector clips{named("Ada", {{3, 0.1F}})};
  const auto voices = hear_known_voices(clips, std::make_shared<FakeNetworks>(), stop.get_token());
  ASSERT_FALSE(voices);
  EXPECT_EQ(voices.error().code, Errc::cancelled);
}

TEST(KnownVoices, OfAClipAreOneEvenIfAWordIsSomebodyElses) {
  EXPECT_EQ(problem({{8, 0.1F}, {0.6, 0.2F}}), "");
}

// Returns an embedding that is so similar to those of the axes 0, 1, …
std::vector<float> similar_to(const std::vector<float>& similarities) {
  std::vector<float> embedding(embedding_size);
  float rest = 1;
  for (std::size_t i = 0; i < similarities.size(); ++i) {
    embedding[i] = similarities[i];
    rest -= similarities[i] * similarities[i];
  }
  embedding.back() = std::sqrt(std::max(rest, 0.0F));
  return embedding;
}

std::vector<KnownVoice> on_axes(int count) {
  std::vector<KnownVoice> voices;
  for (int i = 0; i < count; ++i) {
    voices.push_back(
        {std::string(1, static_cast<char>('p' + i)), std::vector<double>(embedding_size)});
    voices.back().direction[static_cast<std::size_t>(i)] = 1;
  }
  return voices;
}

// Matches speakers who have one piece each.
std::vector<int> matched(const std::vector<std::vector<float>>& pieces, int voices) {
  std::vector<float> embeddings;
  std::vector<int> speakers;
  for (const auto& piece : pieces) {
    speakers.push_back(static_cast<int>(speakers.size()));
    embeddings.insert(embeddings.end(), piece.begin(), piece.end());
  }
  return match_voices(embeddings, speakers, speakers, on_axes(voices));
}

using Found = std::vector<int>;

TEST(KnownVoices, BelongToTheSpeakersWhoAreSimilarEnough) {
  EXPECT_EQ(matched({similar_to({0.8F, 0.1F}), similar_to({0.2F, 0.7F})}, 2), (Found{0, 1}));
  EXPECT_EQ(matched({similar_to({0.1F, 0.8F}), similar_to({0.7F, 0.1F})}, 2), (Found{1, 0}));
  EXPECT_EQ(matched({similar_to({0.2F}), similar_to({0.9F})}, 1), (Found{-1, 0}));
  EXPECT_EQ(matched({similar_to({0.2F, 0.1F})}, 2), Found{-1});
  EXPECT_EQ(matched({similar_to({0.9F})}, 0), Found{-1});
}

TEST(KnownVoices, AreGivenOnceAndTheMostSimilarPairComesFirst) {
  EXPECT_EQ(matched({similar_to({0.7F}), similar_to({0.9F})}, 1), (Found{-1, 0}));
  EXPECT_EQ(matched({similar_to({0.9F}), similar_to({0.9F})}, 1), (Found{0, -1}));
  EXPECT_EQ(matched({similar_to({0.7F, 0.6F}), similar_to({0.75F, 0.1F})}, 2), (Found{1, 0}));
  EXPECT_EQ(matched({similar_to({0.7F, 0.7F})}, 2), Found{0});
}

TEST(KnownVoices, AreComparedWithAllPiecesOfASpeaker) {
  std::vector<float> embeddings = similar_to({0.3F});
  const auto second = similar_to({0.9F});
  embeddings.insert(embeddings.end(), second.begin(), second.end());
  EXPECT_EQ(match_voices(embeddings, std::vector{0, 0}, std::vector{0}, on_axes(1)), Found{0});
  EXPECT_EQ(match_voices(embeddings, std::vector{0, 1}, std::vector{0}, on_axes(1)), Found{-1});
}

TEST(KnownVoices, NameTheirSpeakersAndOthersHaveLetters) {
  const std::vector<KnownVoice> voices{{"Ada", {}}, {"A", {}}};
  EXPECT_EQ(speaker_names(Found{-1, 0, -1}, voices), (Names{"B", "Ada", "C"}));
  EXPECT_EQ(speaker_names(Found{1, -1}, voices), (Names{"A", "B"}));
  EXPECT_EQ(speaker_names(Found{-1, -1}, {}), (Names{"A", "B"}));
}

TEST(KnownVoices, AreNamedInTheTurns) {
  SpeakerAnalysis analysis(std::make_shared<FakeNetworks>());
  analysis.push(sound({{20, 0.2F}, {15, 0.1F}, {12, 0.4F}}));
  analysis.finish();
  auto voices = heard({named("Ada", {{3, 0.1F}})}).value();
  voices.push_back({"Grace", std::vector<double>(embedding_size)});
  voices.back().direction.back() = 1;
  const Turns turns = find_turns(analysis.evidence(), {}, voices);
  EXPECT_EQ(turns.names, (Names{"A", "Ada", "B"}));
  const auto shown = protocol_turns(turns.all, turns.names);
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_EQ(shown[0].speaker, "A");
  EXPECT_EQ(shown[1].speaker, "Ada");
  EXPECT_EQ(shown[2].speaker, "B");
}

}  // namespace
}  // namespace engine
