#include "engine/media/frame_levels.h"

#include <gtest/gtest.h>

#include "tests/engine/media/frames.h"

namespace engine::media {
namespace {

// A frame of two channels, whose samples are (left, right) 400 times.
template <class Sample>
Frame stereo(AVSampleFormat format, Sample left, Sample right) {
  Frame frame = media_test::stereo_frame(format, 8000, 400);
  for (int i = 0; i < 400; ++i) media_test::set_samples(*frame, i, left, right);
  return frame;
}

template <class Sample>
void expect_levels(AVSampleFormat format, Sample half, Sample minus_quarter) {
  const auto frame = stereo<Sample>(format, half, minus_quarter);
  EXPECT_NEAR(peak(*frame), 0.5, 1e-6) << av_get_sample_fmt_name(format);
  const auto power = stereo_power(*frame);
  EXPECT_NEAR(power.mid, 0.125 * 0.125, 1e-6) << av_get_sample_fmt_name(format);
  EXPECT_NEAR(power.side, 0.375 * 0.375, 1e-6) << av_get_sample_fmt_name(format);
}

TEST(FrameLevels, AreTheSameInEveryFormat) {
  for (const auto format : {AV_SAMPLE_FMT_U8, AV_SAMPLE_FMT_U8P}) {
    expect_levels<std::uint8_t>(format, 192, 96);
  }
  for (const auto format : {AV_SAMPLE_FMT_S16, AV_SAMPLE_FMT_S16P}) {
    expect_levels<std::int16_t>(format, 16384, -8192);
  }
  for (const auto format : {AV_SAMPLE_FMT_S32, AV_SAMPLE_FMT_S32P}) {
    expect_levels<std::int32_t>(format, 1 << 30, -(1 << 29));
  }
  for (const auto format : {AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP}) {
    expect_levels<float>(format, 0.5F, -0.25F);
  }
  for (const auto format : {AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP}) {
    expect_levels<double>(format, 0.5, -0.25);
  }
}

TEST(FrameLevels, FullScaleIsOneAndSilenceNothing) {
  EXPECT_EQ(peak(*stereo<std::int16_t>(AV_SAMPLE_FMT_S16, -32768, 0)), 1.0);
  EXPECT_EQ(peak(*stereo<std::int16_t>(AV_SAMPLE_FMT_S16P, 0, -32768)), 1.0);
  EXPECT_EQ(peak(*stereo<std::uint8_t>(AV_SAMPLE_FMT_U8, 128, 128)), 0.0);
}

}  // namespace
}  // namespace engine::media
