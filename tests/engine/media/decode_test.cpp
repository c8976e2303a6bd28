#include "engine/media/decode.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdint>

#include "tests/engine/media/media_bytes.h"

namespace engine::media {
namespace {

using media_test::ramp;
using media_test::run;
using media_test::wav;

Errc code_of(const std::string& bytes, const Options& options = {}) {
  const auto outcome = run(bytes, options);
  return outcome.finished ? Errc{} : outcome.finished.error().code;
}

TEST(Decode, ReportsFormatAndEnd) {
  const std::string bytes = wav(ramp(32000), 16000, 2);
  const auto outcome = run(bytes);
  ASSERT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.finished->seconds, 1.0);
  EXPECT_EQ(outcome.finished->bytes_read, static_cast<std::int64_t>(bytes.size()));
  const auto format = protocol::decoder::parse(outcome.report);
  ASSERT_TRUE(format) << outcome.report;
  const auto& facts = std::get<protocol::decoder::Format>(*format);
  EXPECT_EQ(facts.container, "wav");
  EXPECT_EQ(facts.codec, "pcm_s16le");
  EXPECT_EQ(facts.sample_rate, 16000);
  EXPECT_EQ(facts.channels, 2);
  EXPECT_EQ(facts.duration_s, 1.0);
  EXPECT_EQ(facts.tracks, 1);
}

TEST(Decode, NamesEveryKindOfUselessInput) {
  EXPECT_EQ(code_of(""), Errc::empty_input);
  EXPECT_EQ(code_of("Dear Sir or Madam, this is no recording."), Errc::unsupported_format);
  EXPECT_EQ(code_of(wav({}, 16000, 1)), Errc::empty_audio);
  EXPECT_EQ(code_of(wav(ramp(100), 16000, 1).substr(0, 38)), Errc::nothing_decodable);
}

// The header of a text within says that 1.7 GiB follow.
TEST(Decode, TakesNoMemoryThatOnlyAHeaderAsksFor) {
  std::string bytes = wav(ramp(16000), 16000, 1);
  std::string list = "INFOISFT";
  media_test::append(list, std::uint32_t{0x6b616d0e});
  std::string chunk = "LIST";
  media_test::append(chunk, std::uint32_t{0xfd00001a});
  bytes.insert(36, chunk + list);  // behind the format, in front of the samples
  const auto peak_kib = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const long before = peak_kib();
  run(bytes);
  EXPECT_LT(peak_kib() - before, 300L << 10);
}

TEST(Decode, RefusesPlaylists) {
  EXPECT_EQ(code_of("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///etc/passwd\n"),
            Errc::refers_to_other_files);
  EXPECT_EQ(code_of("ffconcat version 1.0\nfile /etc/passwd\n"), Errc::refers_to_other_files);
}

TEST(Decode, NamesTracksAndChannelsThatAreNotThere) {
  Options options;
  options.track.number = 2;
  const auto outcome = run(wav(ramp(100), 16000, 1), options);
  ASSERT_FALSE(outcome.finished);
  EXPECT_EQ(outcome.finished.error().code, Errc::track_not_found);
  EXPECT_EQ(outcome.finished.error().fix, "Name track 1.");
  options = {};
  options.channel = 3;
  EXPECT_EQ(code_of(wav(ramp(100), 16000, 2), options), Errc::channel_not_found);
}

TEST(Decode, CountsSecondsAndBytesAgainstTheirLimits) {
  const std::string bytes = wav(ramp(32000), 16000, 1);
  Options options;
  options.max_seconds = 2;
  options.max_bytes = static_cast<std::int64_t>(bytes.size());
  EXPECT_EQ(code_of(bytes, options), Errc{});
  options.max_seconds = 1.5;
  const auto longer = run(bytes, options);
  ASSERT_FALSE(longer.finished);
  EXPECT_EQ(longer.finished.error().code, Errc::too_long);
  EXPECT_EQ(longer.pcm.size(), 24000U);
  options.max_seconds = 0;
  options.max_bytes -= 1;
  EXPECT_EQ(code_of(bytes, options), Errc::too_large);
}

TEST(Decode, WarnsOfARecordingThatIsShorterThanItSays) {
  // Sun audio: ten seconds of 16-bit mono at 16 kHz are promised, and one follows. Big-endian.
  std::string bytes(".snd\0\0\0\x18\0\x04\xe2\0\0\0\0\3\0\0\x3e\x80\0\0\0\1", 24);
  bytes += std::string(32000, '\1');
  const auto outcome = run(bytes);
  ASSERT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.finished->seconds, 1.0);
  EXPECT_NE(outcome.report.find("shorter_than_declared"), std::string::npos) << outcome.report;
}

TEST(Decode, ReadsHeaderlessSoundAsItIsTold) {
  const auto samples = ramp(800);
  const std::string bytes(reinterpret_cast<const char*>(samples.data()), samples.size() * 2);
  Options options;
  options.format = "s16le";
  const auto plain = run(bytes, options);
  ASSERT_TRUE(plain.finished);
  EXPECT_EQ(plain.pcm.size(), 800U);
  options.sample_rate = 8000;
  options.channels = 2;
  EXPECT_EQ(run(bytes, options).pcm.size(), 800U);
  options = {};
  options.format = "g722";
  EXPECT_EQ(run(bytes, options).pcm.size(), 3200U);  // two samples a byte
}

TEST(Decode, RecognizesHeaderlessAudioByTheNameOfTheFile) {
  // Content that looks like no format at all.
  const std::string coded(1600, '\x5a');
  Options options;
  options.extension = "g722";
  EXPECT_EQ(run(coded, options).pcm.size(), 3200U);
  options.extension = "wav";
  EXPECT_EQ(code_of(coded, options), Errc::unsupported_format);
  EXPECT_EQ(code_of(coded), Errc::unsupported_format);
}

TEST(Decode, ContentComesBeforeTheNameOfTheFile) {
  Options options;
  options.extension = "g722";
  const auto outcome = run(wav(ramp(800), 16000, 1), options);
  ASSERT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.pcm.size(), 800U);
  EXPECT_NE(outcome.report.find("\"wav\""), std::string::npos) << outcome.report;
  EXPECT_EQ(code_of("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\nfile:///a\n", options),
            Errc::refers_to_other_files);
}

TEST(Decode, TellsThatMoreThanTwoChannelsWereMixed) {
  const auto told = [](int channels, int channel) {
    Options options;
    options.channel = channel;
    const auto outcome =
        run(wav(ramp(800 * static_cast<std::size_t>(channels)), 16000, channels), options);
    EXPECT_TRUE(outcome.finished);
    return outcome.report.find("All " + std::to_string(channels) + " channels") !=
           std::string::npos;
  };
  EXPECT_FALSE(told(1, 0));
  EXPECT_FALSE(told(2, 0));
  EXPECT_TRUE(told(3, 0));
  EXPECT_TRUE(told(6, 0));
  EXPECT_FALSE(told(6, 2)) << "one channel alone";
}

}  // namespace
}  // namespace engine::media
