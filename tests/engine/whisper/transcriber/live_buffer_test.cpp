#include "engine/whisper/transcriber/live_buffer.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "engine/audio/sample_rate.h"
#include "engine/whisper/audio/mel_spool.h"

namespace engine {
namespace {

std::vector<float> noise(double seconds, float loudness) {
  const auto samples = at::randn({static_cast<std::int64_t>(seconds * sample_rate_hz)}) * loudness;
  return {samples.const_data_ptr<float>(), samples.const_data_ptr<float>() + samples.numel()};
}

class LiveBufferTest : public testing::Test {
 protected:
  LiveBufferTest() { at::manual_seed(3); }

  // Returns what the window loop reads of a recording of these samples.
  static at::Tensor window_of(const std::vector<float>& samples) {
    auto spool = MelSpool::create(80).value();
    LogMel mel(80);
    spool.append(mel.push(samples)).value();
    spool.append(mel.finish()).value();
    return spool.read_window(0, static_cast<int>(mel.content_frames())).value();
  }

  at::Tensor input() { return buffer_.encoder_input().value(); }

  LiveBuffer buffer_{80, 0};
};

TEST_F(LiveBufferTest, HearsItselfAsARecordingOfItsOwn) {
  const auto samples = noise(7.003, 0.1F);
  buffer_.append(std::span(samples).first(20'000));
  buffer_.append(std::span(samples).subspan(20'000));
  EXPECT_TRUE(at::equal(input(), window_of(samples)));
}

TEST_F(LiveBufferTest, KeepsTheLoudestFrameThatItHasLeft) {
  const auto loud = noise(2, 1), quiet = noise(2, 5e-4F);
  buffer_.append(loud);
  buffer_.append(quiet);
  const float floor = input().min().item<float>();
  buffer_.cut(2);
  EXPECT_FALSE(at::equal(input(), window_of(quiet)));
  EXPECT_FLOAT_EQ(input().narrow(1, 0, 200).min().item<float>(), floor);
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
  EXPECT_EQ(input().size(1), 3000);
}

}  // namespace
}  // namespace engine
