#include "engine/whisper/transcriber/live_period.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(LivePeriod, IsWhatIsWantedWherePassesAreQuick) {
  LivePeriod usual({}), wanted(1.5);
  EXPECT_DOUBLE_EQ(usual.seconds(), 0.2);
  EXPECT_DOUBLE_EQ(wanted.seconds(), 1.5);
  usual.add(0.1);
  wanted.add(1.0);
  EXPECT_DOUBLE_EQ(usual.seconds(), 0.2);
  EXPECT_DOUBLE_EQ(wanted.seconds(), 1.5);
}

TEST(LivePeriod, GrowsWithTheLatestPassesAndShrinksAgain) {
  LivePeriod period({});
  period.add(1);
  period.add(3);
  EXPECT_DOUBLE_EQ(period.seconds(), 2.5);
  for (int i = 0; i < 4; ++i) period.add(0.4);
  EXPECT_DOUBLE_EQ(period.seconds(), 0.5);
}

}  // namespace
}  // namespace engine
