#include "server/transcription/channel_speakers.h"

#include <gtest/gtest.h>

#include <vector>

namespace server {
namespace {

using Turns = std::vector<protocol::SpeakerTurn>;

// Each channel has letters of its own.
std::array<protocol::SpeakersFound, 2> two_channels() {
  const Turns left{{0, 2, "A"}, {6, 8, "A"}};
  const Turns right{{1, 5, "A"}, {4, 6, "B"}};
  const Turns right_alone{{1, 5, "A"}, {5, 6, "B"}};
  return {{{left, left}, {right, right_alone}}};
}

std::vector<std::string> speakers(const Turns& turns) {
  std::vector<std::string> names;
  for (const auto& turn : turns) names.push_back(turn.speaker);
  return names;
}

using Names = std::vector<std::string>;

TEST(ChannelSpeakers, ALetterStandsForOneOfBothChannels) {
  const auto merged = merge_speakers(two_channels(), {}, {});
  const Turns expected{{0, 2, "A", 0}, {1, 5, "B", 1}, {4, 6, "C", 1}, {6, 8, "A", 0}};
  EXPECT_EQ(merged.turns, expected);
  const Turns exclusive{{0, 2, "A", 0}, {1, 5, "B", 1}, {5, 6, "C", 1}, {6, 8, "A", 0}};
  EXPECT_EQ(merged.exclusive, exclusive);
}

TEST(ChannelSpeakers, TheLabelOfTheChannelStandsBeforeTheLetter) {
  const Names labels{"Agent", "Caller"};
  const auto merged = merge_speakers(two_channels(), labels, {});
  EXPECT_EQ(speakers(merged.turns), (Names{"Agent A", "Caller B", "Caller C", "Agent A"}));
  const Names same{"Side", "Side"};
  EXPECT_EQ(speakers(merge_speakers(two_channels(), same, {}).turns),
            (Names{"Side A", "Side B", "Side C", "Side A"}));
}

TEST(ChannelSpeakers, KnownSpeakersKeepTheirNamesOnBothChannels) {
  auto channels = two_channels();
  channels[0].turns[0].speaker = channels[0].turns[1].speaker = "Ada";
  channels[1].turns[0].speaker = "Ada";
  const std::vector<protocol::KnownSpeaker> known{{.name = "Ada"}, {.name = "A"}};
  EXPECT_EQ(speakers(merge_speakers(channels, {}, known).turns), (Names{"Ada", "Ada", "B", "Ada"}));
}

TEST(ChannelSpeakers, OneChannelMayBeSilent) {
  auto channels = two_channels();
  channels[0] = {};
  EXPECT_EQ(speakers(merge_speakers(channels, {}, {}).turns), (Names{"A", "B"}));
  EXPECT_TRUE(merge_speakers({}, {}, {}).turns.empty());
}

}  // namespace
}  // namespace server
