#include "server/daemon/settled_clock.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using Seconds = SettledClock::Seconds;

constexpr double year = 366 * 86400.0;

class SettledClockTest : public ::testing::Test {
 protected:
  // Asks each minute; returns the last answer.
  bool after(double minutes) {
    bool is_settled = false;
    for (int i = 0; i < minutes; ++i) {
      steady_ += 60;
      wall_ += 60;
      is_settled = clock_.is_settled(Seconds(wall_), Seconds(steady_));
    }
    return is_settled;
  }

  double wall_ = 1.8e9;
  double steady_ = 20;
  SettledClock clock_{};
};

TEST_F(SettledClockTest, IsReliedOnAfterFiveMinutes) {
  EXPECT_FALSE(clock_.is_settled(Seconds(wall_), Seconds(steady_)));
  EXPECT_FALSE(after(4));
  EXPECT_TRUE(after(1));
  EXPECT_TRUE(after(1000));
}

TEST_F(SettledClockTest, IsNotReliedOnRightAfterAJumpInEitherDirection) {
  for (const double jump : {14 * year, -14 * year, 86400.0, -86400.0, 60.0}) {
    EXPECT_TRUE(after(6));
    wall_ += jump;
    EXPECT_FALSE(after(1)) << jump;
    wall_ -= jump;  // a minute later it is right again
    EXPECT_FALSE(after(5)) << jump;
    EXPECT_TRUE(after(1)) << jump;
  }
}

TEST_F(SettledClockTest, SmallCorrectionsAreNoJumps) {
  EXPECT_TRUE(after(6));
  wall_ += 2;
  EXPECT_TRUE(after(1));
}

TEST_F(SettledClockTest, SlowCorrectionsAreNoJumpsHoweverManyThereAre) {
  EXPECT_TRUE(after(6));
  for (int i = 0; i < 100; ++i) {
    wall_ += 0.03;
    EXPECT_TRUE(after(1));
  }
}

TEST_F(SettledClockTest, TheClocksOfTheMachineCanBeRead) {
  EXPECT_FALSE(clock_.is_settled());
}

}  // namespace
}  // namespace server
