#include "engine/speakers/live_speakers.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/engine/speakers/fake_networks.h"

namespace engine {
namespace {

// Returns what the speakers of the turns are called, each after the ones before.
std::vector<std::string> speakers_of(LiveSpeakers& speakers, const std::vector<Speech>& turns) {
  std::vector<std::string> names;
  for (const Speech& turn : turns) names.push_back(speakers.speaker_of(sound(turn)));
  return names;
}

using Spoken = std::vector<std::string>;

TEST(LiveSpeakers, HaveLettersThatStay) {
  LiveSpeakers speakers(std::make_shared<FakeNetworks>(), {});
  EXPECT_EQ(
      speakers_of(speakers, {{{3, 0.2F}}, {{3, 0.1F}}, {{5, 0.2F}}, {{2, 0.4F}}, {{9, 0.1F}}}),
      (Spoken{"A", "B", "A", "C", "B"}));
}

TEST(LiveSpeakers, OfTurnsThatAreTooShortAreThoseWhoAreNearOrNobody) {
  LiveSpeakers speakers(std::make_shared<FakeNetworks>(), {});
  EXPECT_EQ(
      speakers_of(speakers, {{{1, 0.1F}}, {{3, 0.1F}}, {{1, 0.1F}}, {{1, 0.2F}}, {{0.2, 0.1F}}}),
      (Spoken{"", "A", "A", "", ""}));
}

TEST(LiveSpeakers, AreNobodyWhereNoSingleVoiceIsHeard) {
  LiveSpeakers speakers(std::make_shared<FakeNetworks>(), {});
  EXPECT_EQ(speakers_of(speakers, {{}, {{4, 0}}, {{4, 0.3F}}}), (Spoken{"", "", ""}));
}

TEST(LiveSpeakers, OfATurnOfSeveralIsWhoSpeaksMost) {
  LiveSpeakers speakers(std::make_shared<FakeNetworks>(), {});
  EXPECT_EQ(speakers_of(speakers, {{{3, 0.1F}}, {{3, 0.2F}}, {{2, 0.1F}, {1, 0}, {4, 0.2F}}}),
            (Spoken{"A", "B", "B"}));
}

TEST(LiveSpeakers, AreKnownByTheirClips) {
  const auto networks = std::make_shared<FakeNetworks>();
  const std::vector<protocol::KnownSpeaker> clips{
      {"Ada", protocol::encode_clip(sound({{3, 0.1F}}))},
      {"A", protocol::encode_clip(sound({{3, 0.4F}}))}};
  LiveSpeakers speakers(networks, hear_known_voices(clips, networks, {}).value());
  EXPECT_EQ(speakers_of(speakers, {{{3, 0.2F}}, {{3, 0.1F}}, {{3, 0.4F}}, {{3, 0.2F}}}),
            (Spoken{"B", "Ada", "A", "B"}));
}

TEST(LiveSpeakers, AreNoMoreThanAreWanted) {
  LiveSpeakers speakers(std::make_shared<FakeNetworks>(), {}, {.most = 1});
  EXPECT_EQ(speakers_of(speakers, {{{3, 0.2F}}, {{3, 0.1F}}}), (Spoken{"A", "A"}));
}

TEST(LiveSpeakers, HearTheBeginningOfALongTurn) {
  const auto networks = std::make_shared<FakeNetworks>();
  LiveSpeakers speakers(networks, {});
  EXPECT_EQ(speakers.speaker_of(sound({{60, 0.1F}})), "A");
  const double pieces = LiveSpeakers::most_heard_s / piece_hop_s;
  EXPECT_LE(static_cast<double>(networks->samples_.size()), (pieces + 1) * piece_samples);
}

}  // namespace
}  // namespace engine
