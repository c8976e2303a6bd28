#include "engine/media/polarity.h"

#include <gtest/gtest.h>

#include <utility>

#include "tests/engine/media/frames.h"

namespace engine::media {
namespace {

// Gives frames of 20 ms to a Polarity.
class Stereo {
 public:
  bool give(float left, float right) {
    for (int i = 0; i < frame_->nb_samples; ++i) {
      const float sign = i % 2 == 0 ? 1 : -1;
      media_test::set_samples(*frame_, i, left * sign, right * sign);
    }
    return polarity_.is_inverted(*frame_);
  }
  double seconds() const { return polarity_.inverted_seconds(); }

 private:
  Frame frame_ = media_test::stereo_frame(AV_SAMPLE_FMT_FLTP, 16000, 320);
  Polarity polarity_;
};

TEST(Polarity, ChannelsThatCancelEachOtherAreNoticedAtOnce) {
  Stereo stereo;
  EXPECT_FALSE(stereo.give(0, 0));
  EXPECT_TRUE(stereo.give(0.5F, -0.5F));
  EXPECT_TRUE(stereo.give(0.1F, -0.09F));  // a wire has its losses
  EXPECT_TRUE(stereo.give(0, 0));
  EXPECT_NEAR(stereo.seconds(), 0.04, 1e-9);
}

TEST(Polarity, UsualStereoIsMixed) {
  for (const auto& [left, right] : {std::pair(0.5F, 0.5F), {0.5F, 0.0F}, {0.5F, -0.2F}}) {
    Stereo stereo;
    for (int i = 0; i < 50; ++i) EXPECT_FALSE(stereo.give(left, right));
    EXPECT_EQ(stereo.seconds(), 0);
  }
}

TEST(Polarity, AnInversionThatBeginsLaterMustLast) {
  Stereo stereo;
  EXPECT_FALSE(stereo.give(0.5F, 0.4F));
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(stereo.give(0.5F, -0.5F));
  EXPECT_FALSE(stereo.give(0.5F, 0.4F));  // it did not
  for (int i = 0; i < 4; ++i) EXPECT_FALSE(stereo.give(0.5F, -0.5F));
  EXPECT_TRUE(stereo.give(0.5F, -0.5F));
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(stereo.give(0.5F, 0.4F));
  EXPECT_FALSE(stereo.give(0.5F, 0.4F));
}

}  // namespace
}  // namespace engine::media
