#include "server/live/pcm_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <string>
#include <vector>

namespace server {
namespace {

using namespace std::string_literals;
using protocol::live::SampleType;
using protocol::live::SoundFormat;

std::vector<float> convert(const SoundFormat& format, const std::string& bytes, int channel = -1) {
  return PcmConverter::make(format, channel).value().convert(bytes);
}

std::vector<float> one(SampleType type, const std::string& bytes) {
  return convert({.type = type}, bytes);
}

TEST(PcmConverter, ReadsEveryTypeOfSample) {
  EXPECT_EQ(one(SampleType::s8, "\x40\x80\x00"s), (std::vector<float>{0.5F, -1, 0}));
  EXPECT_EQ(one(SampleType::s16le, "\x00\x40\x00\x80"s), (std::vector<float>{0.5F, -1}));
  EXPECT_EQ(one(SampleType::s24le, "\x00\x00\x40\x00\x00\x80"s), (std::vector<float>{0.5F, -1}));
  EXPECT_EQ(one(SampleType::s32le, "\x00\x00\x00\x40\x00\x00\x00\x80"s),
            (std::vector<float>{0.5F, -1}));
  EXPECT_EQ(one(SampleType::f32le, "\x00\x00\x00\x3f\x00\x00\x80\xbf"s),
            (std::vector<float>{0.5F, -1}));
}

// The values are those of ITU-T G.711's tables, whose full scale is 8159 and 4096 of these steps.
TEST(PcmConverter, ReadsTheCompandedTypesOfTelephones) {
  const auto scaled = [](std::vector<float> samples) {
    for (float& sample : samples) sample *= 32768;
    return samples;
  };
  EXPECT_EQ(scaled(one(SampleType::mulaw, "\xff\x7f\x00\x80\xfe"s)),
            (std::vector<float>{0, 0, -32124, 32124, 8}));
  EXPECT_EQ(scaled(one(SampleType::alaw, "\xd5\x55\xaa\x2a\xd4"s)),
            (std::vector<float>{8, -8, 32256, -32256, 24}));
}

TEST(PcmConverter, ANumberThatIsNoneIsSilenceAndALoudOneIsCut) {
  EXPECT_EQ(one(SampleType::f32le, "\x00\x00\xc0\x7f\x00\x00\x80\x7f\x00\x00\x40\x40"s),
            (std::vector<float>{0, 0, 1}));
}

TEST(PcmConverter, TakesOneChannelOrMixesAll) {
  const SoundFormat stereo{.channels = 2};
  const std::string frames = "\x00\x40\x00\x00\x00\x20\x00\xe0"s;
  EXPECT_EQ(convert(stereo, frames, 0), (std::vector<float>{0.5F, 0.25F}));
  EXPECT_EQ(convert(stereo, frames, 1), (std::vector<float>{0, -0.25F}));
  EXPECT_EQ(convert(stereo, frames), (std::vector<float>{0.25F, 0}));
}

TEST(PcmConverter, KeepsTheFirstBytesOfAFrameForItsRest) {
  const std::string frames = "\x00\x40\x00\x00\x00\x20\x00\xe0\x00\x10\x00\x10"s;
  const SoundFormat stereo{.channels = 2};
  const auto whole = convert(stereo, frames);
  for (std::size_t piece = 1; piece < frames.size(); ++piece) {
    auto converter = PcmConverter::make(stereo).value();
    std::vector<float> samples;
    for (std::size_t at = 0; at < frames.size(); at += piece) {
      const auto more = converter.convert(frames.substr(at, piece));
      samples.insert(samples.end(), more.begin(), more.end());
    }
    EXPECT_EQ(samples, whole) << "pieces of " << piece;
  }
}

TEST(PcmConverter, RefusesWhatItCannotRead) {
  for (const SoundFormat& format : {SoundFormat{.rate = 3'999}, SoundFormat{.rate = 192'001},
                                    SoundFormat{.channels = 0}, SoundFormat{.channels = 65}}) {
    EXPECT_EQ(PcmConverter::make(format).error().code, errc::unsupported);
  }
  EXPECT_EQ(PcmConverter::make({.channels = 2}, 2).error().code, errc::unsupported);
}

// Returns a second of a tone as s16le.
std::string tone(int rate, double frequency) {
  std::string bytes;
  for (int i = 0; i < rate; ++i) {
    const double value = 0.5 * std::sin(2 * std::numbers::pi * frequency * i / rate);
    const auto sample = static_cast<std::int16_t>(std::lround(value * 32767));
    bytes.push_back(static_cast<char>(sample & 0xff));
    bytes.push_back(static_cast<char>((sample >> 8) & 0xff));
  }
  return bytes;
}

class Rates : public ::testing::TestWithParam<int> {};

TEST_P(Rates, AToneStaysThatToneInPiecesOfAnyLength) {
  const int rate = GetParam();
  const double frequency = 1'000;
  auto converter = PcmConverter::make({.rate = rate}).value();
  const std::string bytes = tone(rate, frequency);
  std::vector<float> samples;
  double most_behind_s = 0;
  const std::size_t piece = static_cast<std::size_t>(rate) / 25 + 1;  // an odd number for some
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    const auto more = converter.convert(std::string_view(bytes).substr(at, piece));
    samples.insert(samples.end(), more.begin(), more.end());
    const double given = static_cast<double>(std::min(at + piece, bytes.size())) / 2 / rate;
    most_behind_s = std::max(most_behind_s, given - static_cast<double>(samples.size()) / 16'000);
  }
  EXPECT_LT(most_behind_s, 0.05);
  const auto rest = converter.finish();
  samples.insert(samples.end(), rest.begin(), rest.end());
  ASSERT_NEAR(static_cast<double>(samples.size()), 16'000, 2);
  double worst = 0;
  for (std::size_t i = 1'000; i < 15'000; ++i) {
    const double at = static_cast<double>(i) / 16'000;
    const double wanted = 0.5 * std::sin(2 * std::numbers::pi * frequency * at);
    worst = std::max(worst, std::abs(samples[i] - wanted));
  }
  EXPECT_LT(worst, 0.005);
}

INSTANTIATE_TEST_SUITE_P(PcmConverter, Rates,
                         ::testing::Values(8'000, 11'025, 16'000, 22'050, 24'000, 32'000, 44'100,
                                           48'000, 96'000, 192'000));

}  // namespace
}  // namespace server
