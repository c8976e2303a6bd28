#include "server/transcription/crash_guard.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using std::chrono::seconds;

class CrashGuardTest : public testing::Test {
 protected:
  void die_at(int second) { guard_.died(at(second), {errc::worker_died, "it was killed", ""}); }
  bool refuses_at(int second) { return guard_.refusal(at(second), "base").has_value(); }

  static CrashGuard::TimePoint at(int second) {
    return CrashGuard::TimePoint() + seconds(1'000'000 + second);
  }

  CrashGuard guard_{CrashLimits{}};
};

TEST_F(CrashGuardTest, LetsFewDeathsPass) {
  for (int second = 0; second < 4; ++second) die_at(second);
  EXPECT_FALSE(refuses_at(4));
}

TEST_F(CrashGuardTest, LetsDeathsPassThatAreFarApart) {
  for (int second = 0; second < 1000; second += 20) {
    die_at(second);
    EXPECT_FALSE(refuses_at(second)) << second;
  }
}

TEST_F(CrashGuardTest, PausesAfterFiveDeathsInAMinute) {
  for (int second = 0; second < 5; ++second) die_at(second);
  EXPECT_TRUE(refuses_at(4));
  EXPECT_FALSE(refuses_at(5));
}

TEST_F(CrashGuardTest, DoublesThePauseUpToAMinute) {
  int now = 0;
  for (int i = 0; i < 5; ++i) die_at(now);
  for (const int pause : {1, 2, 4, 8, 16, 32, 60, 60, 60}) {
    EXPECT_TRUE(refuses_at(now + pause - 1)) << pause;
    now += pause;
    EXPECT_FALSE(refuses_at(now)) << pause;
    die_at(now);
  }
}

TEST_F(CrashGuardTest, StartsAnewAfterAWorkerThatLived) {
  for (int i = 0; i < 8; ++i) die_at(i);
  die_at(1000);
  EXPECT_FALSE(refuses_at(1000));
}

TEST_F(CrashGuardTest, SaysWhyAndForHowLong) {
  for (int i = 0; i < 6; ++i) die_at(0);
  const auto refusal = guard_.refusal(at(0), "base");
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->code, errc::worker_died);
  EXPECT_EQ(refusal->message,
            "model base is not started for the next 2 s, because it failed again and again: it was "
            "killed");
}

}  // namespace
}  // namespace server
