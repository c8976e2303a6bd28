#include "engine/live/sound_pace.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

using std::chrono::milliseconds;

// The sound of a client, at times that a test makes up.
class SoundPaceTest : public testing::Test {
 protected:
  // So many milliseconds pass, and meanwhile sound of so many comes, in steps of 100.
  void pass(int ms, int sound_ms) {
    for (int at = 0; at < ms; at += 100) {
      now_ += milliseconds(100);
      samples_ += std::int64_t{16} * 100 * sound_ms / ms;
      pace_.came(samples_, now_);
    }
  }
  void comes_at_once(int sound_ms) {
    samples_ += std::int64_t{16} * sound_ms;
    pace_.came(samples_, now_);
  }

  SoundPace pace_;
  SoundPace::Time now_{milliseconds(5'000)};
  std::int64_t samples_ = 0;
};

TEST_F(SoundPaceTest, SpeechAsItIsSpokenIsNotAhead) {
  pace_.came(0, now_);
  pass(60'000, 60'000);
  EXPECT_FALSE(pace_.is_ahead());
}

TEST_F(SoundPaceTest, ARecordingThatIsSentFasterIsAhead) {
  pace_.came(0, now_);
  comes_at_once(1'900);
  EXPECT_FALSE(pace_.is_ahead()) << "what a client keeps while it connects";
  comes_at_once(200);
  EXPECT_TRUE(pace_.is_ahead());
  pass(10'000, 40'000);
  EXPECT_TRUE(pace_.is_ahead());
}

TEST_F(SoundPaceTest, WhatCameBeforeIsForgivenWhileSpeechGoesOn) {
  comes_at_once(5'000);
  EXPECT_TRUE(pace_.is_ahead());
  pass(11'000, 11'000);
  EXPECT_TRUE(pace_.is_ahead());
  pass(2'000, 2'000);
  EXPECT_FALSE(pace_.is_ahead());
}

TEST_F(SoundPaceTest, AClientThatWasSilentMayNotSendItsSoundFasterForThat) {
  pace_.came(0, now_);
  pass(600'000, 0);
  comes_at_once(3'000);
  EXPECT_TRUE(pace_.is_ahead());
}

TEST_F(SoundPaceTest, SoundThatTheRecogniserLeftLyingIsNotAhead) {
  pace_.came(0, now_);
  pass(1'000, 1'000);
  now_ += milliseconds(30'000);  // nothing was read, and 30 s of sound wait
  comes_at_once(30'000);
  EXPECT_FALSE(pace_.is_ahead());
}

}  // namespace
}  // namespace engine
