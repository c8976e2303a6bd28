#include "engine/speakers/speaker_protocol.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(SpeakerBounds, AreThoseOfTheOptions) {
  const auto bounds = [](std::optional<int> num, std::optional<int> least,
                         std::optional<int> most) {
    protocol::TranscribeOptions options;
    options.num_speakers = num;
    options.min_speakers = least;
    options.max_speakers = most;
    return speaker_bounds(options);
  };
  EXPECT_EQ(bounds({}, {}, {})->most, 20);
  EXPECT_EQ(bounds({}, 30, {})->most, 30);
  EXPECT_EQ(bounds(3, {}, {})->least, 3);
  EXPECT_EQ(bounds(3, {}, {})->most, 3);
  EXPECT_EQ(bounds({}, 4, 2).error().code, Errc::invalid_option);
  EXPECT_EQ(bounds(5, {}, 2).error().code, Errc::invalid_option);
}

TEST(ProtocolTurns, HaveNamesOrLetters) {
  const std::vector<Turn> turns{{0, 1, 0}, {0.5, 2, 1}};
  const std::vector<std::string> names{"Ada"};
  const std::vector<protocol::SpeakerTurn> named{{0, 1, "Ada"}, {0.5, 2, "B"}};
  EXPECT_EQ(protocol_turns(turns, names), named);
}

}  // namespace
}  // namespace engine
