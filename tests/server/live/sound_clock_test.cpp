#include "server/live/sound_clock.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using std::chrono::milliseconds;

const SoundClock::Time start{std::chrono::seconds(1'000)};

TEST(SoundClock, TellsHowLongAgoSoundCame) {
  SoundClock clock;
  for (int i = 1; i <= 10; ++i) clock.came(0.1 * i, start + milliseconds(100 * i));
  const auto now = start + milliseconds(1'500);
  EXPECT_NEAR(clock.age_s(1.0, now).value(), 0.5, 1e-9);
  EXPECT_NEAR(clock.age_s(0.25, now).value(), 1.2, 1e-9);
  EXPECT_FALSE(clock.age_s(1.01, now)) << "it has not come";
}

TEST(SoundClock, ForgetsWhatIsLongAgo) {
  SoundClock clock;
  for (int i = 1; i <= 10'000; ++i) clock.came(0.02 * i, start + milliseconds(20 * i));
  const auto now = start + milliseconds(20 * 10'000);
  EXPECT_FALSE(clock.age_s(1, now));
  EXPECT_NEAR(clock.age_s(199, now).value(), 1, 0.03);
}

TEST(SoundClock, ShortPiecesShareAMark) {
  SoundClock clock;
  for (int i = 1; i <= 100'000; ++i) clock.came(0.0001 * i, start);
  EXPECT_TRUE(clock.age_s(0.01, start)) << "the first second is still known";
}

// A recording that is sent at once, or what a client has kept back, must not look like a machine
// that is too slow.
TEST(SoundClock, SoundThatComesEarlyIsDueAsTheClockGoes) {
  SoundClock clock;
  EXPECT_EQ(clock.due_s(start), 0);
  clock.came(60, start);
  EXPECT_NEAR(clock.due_s(start), 0, 1e-9);
  EXPECT_NEAR(clock.due_s(start + milliseconds(5'000)), 5, 1e-9);
  EXPECT_NEAR(clock.due_s(start + milliseconds(90'000)), 60, 1e-9) << "no more has come";
  clock.came(80, start + milliseconds(90'000));
  EXPECT_NEAR(clock.due_s(start + milliseconds(91'000)), 61, 1e-9);
}

TEST(SoundClock, SoundThatComesAsItIsSpokenIsDueAtOnce) {
  SoundClock clock;
  for (int i = 1; i <= 100; ++i) clock.came(0.1 * i, start + milliseconds(100 * i));
  EXPECT_NEAR(clock.due_s(start + milliseconds(10'000)), 9.9, 0.01);
}

}  // namespace
}  // namespace server
