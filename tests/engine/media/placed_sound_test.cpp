#include "engine/media/placed_sound.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/media/media_bytes.h"
#include "tests/engine/media/mp4_bytes.h"

namespace engine::media {
namespace {

using media_test::bytes_of;
using media_test::Mp4;
using media_test::run;

// Returns the places in the PCM at which the sound is loudest, one for each stretch of sound.
std::vector<std::size_t> peaks(const std::vector<float>& pcm, float least) {
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i + 1 < pcm.size(); ++i) {
    if (pcm[i] > least && pcm[i] >= pcm[i - 1] && pcm[i] > pcm[i + 1]) places.push_back(i);
  }
  return places;
}

// One sample of sound every 0.13 s.
TEST(PlacedSound, ShortHolesKeepTheirLengthHoweverManyThereAre) {
  for (const std::uint32_t rate_hz : {16000U, 44101U, 8000U}) {
    const Mp4 made{.packets = 500,
                   .ticks_of_packet = 130,
                   .ticks_a_second = 1000,
                   .rate_hz = rate_hz,
                   .sample = 30000};
    const auto outcome = run(bytes_of(made));
    ASSERT_TRUE(outcome.finished);
    const auto places = peaks(outcome.pcm, 0.15F);  // without the first sample and the last
    ASSERT_GE(places.size(), 498U) << rate_hz;
    for (std::size_t i = 0; i < 498; ++i) {
      ASSERT_NEAR(static_cast<double>(places[i]), static_cast<double>(i + 1) * 2080, 1) << rate_hz;
    }
    EXPECT_NEAR(outcome.finished->seconds, 499 * 0.13, 0.001) << rate_hz;
  }
}

TEST(PlacedSound, ACopyOfAllChannelsHasTheHolesToo) {
  const auto copy = media_test::memory_file("");
  Options options;
  options.channel = 1;  // so that the copy has a resampler of its own
  options.sound_fd = copy.get();
  options.sound_bytes = 1 << 22;
  const auto outcome = run(
      bytes_of({.packets = 100, .ticks_of_packet = 130, .ticks_a_second = 1000, .rate_hz = 44101}),
      options);
  ASSERT_TRUE(outcome.finished);
  EXPECT_EQ(media_test::contents(copy.get()).size() / 2, outcome.pcm.size());
}

// A second of sound, of which the index says that it is half of one.
TEST(PlacedSound, SoundThatOverlapsIsDropped) {
  for (const std::uint32_t rate_hz : {16000U, 44100U}) {
    const auto outcome = run(bytes_of({.packets = rate_hz,
                                       .ticks_of_packet = 2,
                                       .ticks_a_second = 4 * rate_hz,
                                       .rate_hz = rate_hz}));
    ASSERT_TRUE(outcome.finished);
    EXPECT_NEAR(outcome.finished->seconds, 0.5, 0.03);
    EXPECT_EQ(outcome.report.find("damaged_container"), std::string::npos) << outcome.report;
  }
}

TEST(PlacedSound, ARecordingWhoseTimeStandsStillEndsThere) {
  const auto outcome =
      run(bytes_of({.packets = 200'000, .ticks_of_packet = 2, .ticks_a_second = 1'000'000'000}));
  ASSERT_TRUE(outcome.finished);
  EXPECT_NEAR(outcome.finished->seconds, 0.02, 0.01);
  EXPECT_GT(outcome.pcm.size(), 300U);
  EXPECT_NE(outcome.report.find("damaged_container"), std::string::npos) << outcome.report;
}

}  // namespace
}  // namespace engine::media
