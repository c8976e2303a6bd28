#include "engine/media/polarity.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

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

std::vector<ChannelPair> pairs_of_layout(const char* name) {
  AVChannelLayout layout{};
  EXPECT_EQ(av_channel_layout_from_string(&layout, name), 0) << name;
  return pairs_of(layout);
}

TEST(Polarity, PairsAreLeftAndRightOfOnePlace) {
  const ChannelPair front{0, 1, "front"};
  EXPECT_EQ(pairs_of_layout("stereo").size(), 1u);
  EXPECT_EQ(pairs_of_layout("mono").size(), 0u);
  EXPECT_EQ(pairs_of_layout("2.1"), std::vector{front});
  EXPECT_EQ(pairs_of_layout("4.0"), std::vector{front});
  EXPECT_EQ(pairs_of_layout("quad"), (std::vector<ChannelPair>{front, {2, 3, "back"}}));
  EXPECT_EQ(pairs_of_layout("5.1(side)"), (std::vector<ChannelPair>{front, {4, 5, "side"}}));
  EXPECT_EQ(pairs_of_layout("7.1"),
            (std::vector<ChannelPair>{front, {4, 5, "back"}, {6, 7, "side"}}));
  AVChannelLayout unknown{};
  unknown.nb_channels = 5;
  EXPECT_EQ(pairs_of(unknown), (std::vector<ChannelPair>{{0, 1}, {2, 3}}));
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
