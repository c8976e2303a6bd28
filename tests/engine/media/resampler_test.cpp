#include "engine/media/resampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/engine/media/media_bytes.h"

namespace engine::media {
namespace {

std::vector<std::int16_t> tone(double frequency_hz, int rate_hz, double seconds) {
  std::vector<std::int16_t> samples(static_cast<std::size_t>(rate_hz * seconds));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double phase = 2 * std::numbers::pi * frequency_hz * static_cast<double>(i) / rate_hz;
    samples[i] = static_cast<std::int16_t>(std::lround(16384 * std::sin(phase)));
  }
  return samples;
}

// Returns the level of the middle, where the filter has settled; a full tone of `tone` has 0 dB.
double level_db(const std::vector<float>& pcm) {
  double power = 0;
  const std::size_t edge = pcm.size() / 4;
  for (std::size_t i = edge; i < pcm.size() - edge; ++i) power += pcm[i] * pcm[i];
  const double mean = power / static_cast<double>(pcm.size() - 2 * edge);
  return 10 * std::log10(mean * 2 / 0.25 + 1e-20);
}

TEST(Resampler, PassesSixteenKilohertzMonoUnchanged) {
  const auto samples = media_test::ramp(40000);
  const auto outcome = media_test::run(media_test::wav(samples, 16000, 1));
  ASSERT_TRUE(outcome.finished);
  ASSERT_EQ(outcome.pcm.size(), samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    ASSERT_EQ(outcome.pcm[i], static_cast<float>(samples[i]) / 32768.0F) << i;
  }
}

TEST(Resampler, MixesStereoAsTheMeanOfBothChannels) {
  const std::vector<std::int16_t> samples = {1000, 3000, -32768, -32768, 32767, 32767, 500, -500};
  const auto outcome = media_test::run(media_test::wav(samples, 16000, 2));
  ASSERT_EQ(outcome.pcm.size(), 4U);
  const float expected[] = {2000.0F, -32768.0F, 32767.0F, 0.0F};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(outcome.pcm[i], expected[i] / 32768, 1e-6);
}

TEST(Resampler, TakesTheLeftChannelWhereTheRightOneIsItsInverse) {
  std::vector<std::int16_t> samples;
  for (int i = 0; i < 16000; ++i) {
    const auto left = static_cast<std::int16_t>(i % 2 == 0 ? 8000 : -8000);
    samples.push_back(left);
    samples.push_back(static_cast<std::int16_t>(-left));
  }
  const auto outcome = media_test::run(media_test::wav(samples, 16000, 2));
  ASSERT_EQ(outcome.pcm.size(), 16000U);
  for (std::size_t i = 0; i < 16000; ++i) {
    ASSERT_NEAR(outcome.pcm[i], samples[2 * i] / 32768.0F, 1e-6) << i;
  }
}

TEST(Resampler, TakesOneChannelAlone) {
  const std::vector<std::int16_t> samples = {100, 20000, 200, 20001, 300, 20002};
  Options options;
  options.channel = 2;
  const auto outcome = media_test::run(media_test::wav(samples, 16000, 2), options);
  ASSERT_EQ(outcome.pcm.size(), 3U);
  EXPECT_EQ(outcome.pcm[1], 20001.0F / 32768);
}

TEST(Resampler, MixesMoreChannelsThanAnyLayoutHas) {
  const std::vector<std::int16_t> samples(11 * 100, 8192);
  const auto outcome = media_test::run(media_test::wav(samples, 16000, 11));
  ASSERT_EQ(outcome.pcm.size(), 100U);
  EXPECT_NEAR(outcome.pcm[50], 0.25F, 1e-6);
}

TEST(Resampler, KeepsSpeechAndLetsNothingAlias) {
  for (const int rate_hz : {22050, 44100, 48000}) {
    for (const double kept : {100.0, 1000.0, 4000.0, 7200.0}) {
      const auto outcome = media_test::run(media_test::wav(tone(kept, rate_hz, 1), rate_hz, 1));
      EXPECT_NEAR(level_db(outcome.pcm), 0, 0.05) << kept << " Hz at " << rate_hz;
      EXPECT_NEAR(static_cast<double>(outcome.pcm.size()), 16000, 1);
    }
    for (const double gone : {8100.0, 9000.0, 10500.0}) {
      const auto outcome = media_test::run(media_test::wav(tone(gone, rate_hz, 1), rate_hz, 1));
      // The rest is the rounding of the test's own 16-bit tone.
      EXPECT_LT(level_db(outcome.pcm), -80) << gone << " Hz at " << rate_hz;
    }
  }
}

TEST(Resampler, RefusesARateThatNoRecordingHas) {
  const auto outcome = media_test::run(media_test::wav(media_test::ramp(400), 1092676, 1));
  ASSERT_FALSE(outcome.finished);
  EXPECT_EQ(outcome.finished.error().code, Errc::nothing_decodable);
}

}  // namespace
}  // namespace engine::media
