#include "engine/whisper/transcriber/live_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/audio/sample_rate.h"
#include "engine/whisper/audio/mel_spool.h"
#include "tests/engine/whisper/model/random_window.h"

namespace engine {
namespace {

std::vector<float> noise(double seconds, float loudness) {
  return random_numbers(static_cast<std::size_t>(seconds * sample_rate_hz), 3, loudness);
}

class LiveBufferTest : public testing::Test {
 protected:
  // Returns what the window loop reads of a recording of these samples.
  static MelWindow window_of(const std::vector<float>& samples) {
    auto spool = MelSpool::create(80).value();
    LogMel mel(80);
    spool.append(mel.push(samples)).value();
    spool.append(mel.finish()).value();
    return spool.read_window(0, static_cast<int>(mel.content_frames())).value();
  }

  MelWindow input() { return buffer_.encoder_input().value(); }
  // Returns the least number of the first frames.
  static float floor_of(const MelWindow& window, std::size_t frames) {
    float least = window.front();
    for (std::size_t band = 0; band < 80; ++band) {
      const auto begin = window.begin() + static_cast<std::ptrdiff_t>(band * window_frames);
      least =
          std::min(least, *std::min_element(begin, begin + static_cast<std::ptrdiff_t>(frames)));
    }
    return least;
  }

  LiveBuffer buffer_{80, 0};
};

TEST_F(LiveBufferTest, HearsItselfAsARecordingOfItsOwn) {
  const auto samples = noise(7.003, 0.1F);
  buffer_.append(std::span(samples).first(20'000));
  buffer_.append(std::span(samples).subspan(20'000));
  EXPECT_EQ(input(), window_of(samples));
  EXPECT_EQ(input().frames, 700);
}

TEST_F(LiveBufferTest, KeepsTheLoudestFrameThatItHasLeft) {
  const auto loud = noise(2, 1), quiet = noise(2, 5e-4F);
  buffer_.append(loud);
  buffer_.append(quiet);
  const float floor = floor_of(input(), 400);
  buffer_.cut(2);
  EXPECT_NE(input(), window_of(quiet));
  EXPECT_FLOAT_EQ(floor_of(input(), 200), floor);
}

TEST_F(LiveBufferTest, IsCutAtATimeOfTheSession) {
  LiveBuffer later(80, 160'000);
  later.append(noise(5, 0.1F));
  EXPECT_DOUBLE_EQ(later.span().begin, 10);
  later.cut(11.25);
  EXPECT_EQ(later.begin(), 180'000);
  EXPECT_EQ(later.end(), 240'000);
  EXPECT_EQ(later.frames(), 375);
  later.cut(1);  // is behind
  EXPECT_EQ(later.begin(), 180'000);
  later.cut(100);
  EXPECT_EQ(later.begin(), 240'000);
  EXPECT_EQ(later.end(), 240'000);
}

TEST_F(LiveBufferTest, HasNothingToHearInDigitalSilence) {
  buffer_.append(std::vector<float>(32'000));
  EXPECT_FALSE(buffer_.encoder_input());
  buffer_.append(noise(0.1, 0.01F));
  EXPECT_TRUE(buffer_.encoder_input());
}

TEST_F(LiveBufferTest, HasRoomForThirtySeconds) {
  EXPECT_EQ(buffer_.room(), 480'000u);
  buffer_.append(noise(29, 0.1F));
  EXPECT_EQ(buffer_.room(), 16'000u);
  buffer_.append(noise(1, 0.1F));
  EXPECT_EQ(buffer_.room(), 0u);
  EXPECT_EQ(std::ssize(input()), 80 * 3000);
}

}  // namespace
}  // namespace engine
