#include "engine/media/sound_copy.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "tests/engine/media/media_bytes.h"

namespace engine::media {
namespace {

using media_test::contents;
using media_test::memory_file;
using media_test::ramp;
using media_test::run;
using media_test::wav;

struct Copied {
  media_test::Outcome outcome;
  std::vector<std::int16_t> sound;
};

Copied copied(const std::string& recording, Options options = {}, std::int64_t max_bytes = 1 << 20,
              const std::string& before = "") {
  const auto file = memory_file(before);
  options.sound_fd = file.get();
  options.sound_bytes = max_bytes;
  auto outcome = run(recording, options);
  const std::string bytes = contents(file.get());
  std::vector<std::int16_t> sound(bytes.size() / sizeof(std::int16_t));
  if (!sound.empty()) std::memcpy(sound.data(), bytes.data(), bytes.size());
  return {std::move(outcome), std::move(sound)};
}

TEST(SoundCopy, HasTheSamplesThatSuchARecordingHas) {
  const auto samples = ramp(50'000);
  const auto copy = copied(wav(samples, 16'000, 1));
  EXPECT_EQ(copy.sound, samples);
  EXPECT_EQ(copy.outcome.pcm.size(), samples.size());
  EXPECT_EQ(copy.outcome.report.find("warning"), std::string::npos);
}

TEST(SoundCopy, IsAsLongAsThePcmOfAnotherRate) {
  const auto copy = copied(wav(ramp(96'000), 48'000, 1));
  EXPECT_EQ(copy.sound.size(), copy.outcome.pcm.size());
}

TEST(SoundCopy, HasAllChannelsWhereThePcmHasOne) {
  std::vector<std::int16_t> samples;
  for (int i = 0; i < 16'000; ++i) samples.insert(samples.end(), {8'000, 0});
  Options options;
  options.channel = 2;
  const auto copy = copied(wav(samples, 16'000, 2), options);
  EXPECT_TRUE(std::ranges::all_of(copy.outcome.pcm, [](float sample) { return sample == 0; }));
  ASSERT_EQ(copy.sound.size(), 16'000U);
  EXPECT_NEAR(copy.sound[8'000], 4'000, 1);
}

TEST(SoundCopy, WritesTheSameBytesOverThoseOfAnEarlierAttempt) {
  const auto samples = ramp(20'000);
  const std::string early(reinterpret_cast<const char*>(samples.data()), 6'000);
  EXPECT_EQ(copied(wav(samples, 16'000, 1), {}, 1 << 20, early).sound, samples);
}

TEST(SoundCopy, IsNotBegunWhereItWouldNotFit) {
  const auto copy = copied(wav(ramp(80'000), 16'000, 1), {}, 159'998);
  EXPECT_TRUE(copy.outcome.finished);
  EXPECT_EQ(copy.outcome.pcm.size(), 80'000U);
  EXPECT_TRUE(copy.sound.empty());
  EXPECT_NE(copy.outcome.report.find("sound_not_kept"), std::string::npos);
}

// Raw sound does not say how long it is.
TEST(SoundCopy, IsGivenUpWhereItGrowsTooLong) {
  const auto samples = ramp(30'000);
  Options options;
  options.format = "s16le";
  const std::string raw(reinterpret_cast<const char*>(samples.data()), samples.size() * 2);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const platform::UniqueFd read(ends[0]);
  platform::UniqueFd write(ends[1]);
  ASSERT_EQ(::write(write.get(), raw.data(), raw.size()), static_cast<ssize_t>(raw.size()));
  write.reset();
  const auto sound = memory_file("");
  options.sound_fd = sound.get();
  options.sound_bytes = 40'000;
  const auto outcome = run(read.get(), options);
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.pcm.size(), 30'000U);
  EXPECT_LE(contents(sound.get()).size(), 40'000U);
  EXPECT_NE(outcome.report.find("sound_not_kept"), std::string::npos);
}

TEST(SoundCopy, IsGivenUpWhereItCannotBeWritten) {
  Options options;
  options.sound_fd = ::open("/dev/full", O_WRONLY);
  options.sound_bytes = 1 << 20;
  const auto outcome = run(wav(ramp(80'000), 16'000, 1), options);
  ::close(options.sound_fd);
  EXPECT_TRUE(outcome.finished);
  EXPECT_EQ(outcome.pcm.size(), 80'000U);
  EXPECT_NE(outcome.report.find("No space left on device"), std::string::npos);
}

}  // namespace
}  // namespace engine::media
