#include "engine/media/options.h"

#include <gtest/gtest.h>

#include <vector>

namespace engine::media {
namespace {

Result<Options> parse(std::vector<const char*> args) {
  return parse_options(args);
}

TEST(Options, NameATrackByItsLanguage) {
  const auto options = parse({"--track", "fre", "--prefer-language", "German"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->track.number, 0);
  EXPECT_EQ(options->track.language, "fr");
  EXPECT_EQ(options->track.preferred, "de");
}

TEST(DecoderOptions, AreEmptyByDefault) {
  const auto options = parse({});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->report_fd, -1);
  EXPECT_EQ(options->track.number, 0);
  EXPECT_EQ(options->max_bytes, 0);
  EXPECT_FALSE(options->unbuffered);
  EXPECT_FALSE(options->memory_on_request);
  EXPECT_EQ(options->resampling, Resampling::soxr);
}

TEST(DecoderOptions, TakeValuesAfterASpaceOrAnEqualsSign) {
  const auto options =
      parse({"--report-fd", "3", "--format=s16le", "--sample-rate", "8000", "--channels=2",
             "--track", "2", "--channel=1", "--max-seconds=1.5", "--max-bytes", "99",
             "--unbuffered", "--memory-on-request", "--resampler", "swr"});
  ASSERT_TRUE(options) << options.error().message;
  EXPECT_EQ(options->report_fd, 3);
  EXPECT_EQ(options->format, "s16le");
  EXPECT_EQ(options->sample_rate, 8000);
  EXPECT_EQ(options->channels, 2);
  EXPECT_EQ(options->track.number, 2);
  EXPECT_EQ(options->channel, 1);
  EXPECT_EQ(options->max_seconds, 1.5);
  EXPECT_EQ(options->max_bytes, 99);
  EXPECT_TRUE(options->unbuffered);
  EXPECT_TRUE(options->memory_on_request);
  EXPECT_EQ(options->resampling, Resampling::swr);
}

TEST(DecoderOptions, NameAFileForACopyOfTheSound) {
  const auto options = parse({"--sound-fd", "4", "--sound-bytes=320000"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->sound_fd, 4);
  EXPECT_EQ(options->sound_bytes, 320000);
}

TEST(DecoderOptions, RefuseWhatHasNoMeaning) {
  const std::vector<std::vector<const char*>> refused = {
      {"--nonsense"},
      {"--nonsense", "1"},
      {"extra"},
      {"--track"},
      {"--track", "0"},
      {"--track", "klingon"},
      {"--prefer-language", ""},
      {"--timeline", "mine"},
      {"--track", "1x"},
      {"--channel", "-1"},
      {"--max-seconds", "nan"},
      {"--max-seconds", "-1"},
      {"--max-bytes", "99999999999999999999"},
      {"--format", "hls"},
      {"--format", "mov,mp4"},
      {"--resampler", "best"},
      {"--sample-rate", "8000"},
      {"--format", "wav", "--channels", "2"},
      {"--format", "g722", "--sample-rate", "16000"},
      {"--format", "s16le", "--sample-rate", "999"},
  };
  for (const auto& args : refused) {
    const auto options = parse(args);
    ASSERT_FALSE(options) << args.front();
    EXPECT_EQ(options.error().code, Errc::invalid_options);
  }
}

}  // namespace
}  // namespace engine::media
