#include "engine/media/polarity.h"

#include <gtest/gtest.h>

#include <new>
#include <utility>

namespace engine::media {
namespace {

// Gives frames of 20 ms to a Polarity.
class Stereo {
 public:
  Stereo() : frame_(av_frame_alloc()) {
    if (!frame_) throw std::bad_alloc();
    frame_->format = AV_SAMPLE_FMT_FLTP;
    frame_->nb_samples = 320;
    frame_->sample_rate = 16000;
    av_channel_layout_default(&frame_->ch_layout, 2);
    if (av_frame_get_buffer(frame_.get(), 0) < 0) throw std::bad_alloc();
  }

  bool give(float left, float right) {
    for (int i = 0; i < frame_->nb_samples; ++i) {
      const float sign = i % 2 == 0 ? 1 : -1;
      reinterpret_cast<float*>(frame_->extended_data[0])[i] = left * sign;
      reinterpret_cast<float*>(frame_->extended_data[1])[i] = right * sign;
    }
    return polarity_.is_inverted(*frame_);
  }
  double seconds() const { return polarity_.inverted_seconds(); }

 private:
  Frame frame_;
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
