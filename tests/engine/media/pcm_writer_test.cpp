#include "engine/media/pcm_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <limits>
#include <vector>

#include "tests/engine/media/media_bytes.h"

namespace engine::media {
namespace {

std::vector<float> floats(int fd) {
  const std::string bytes = media_test::contents(fd);
  std::vector<float> samples(bytes.size() / sizeof(float));
  if (!samples.empty()) std::memcpy(samples.data(), bytes.data(), bytes.size());
  return samples;
}

TEST(PcmWriter, KeepsSamplesInRangeAndFinite) {
  const auto file = media_test::memory_file("");
  PcmWriter writer(file.get(), 0);
  const std::vector<float> samples = {0.5F, -2.0F, 1e30F, std::nanf(""),
                                      -std::numeric_limits<float>::infinity()};
  ASSERT_TRUE(writer.write(samples));
  ASSERT_TRUE(writer.flush());
  EXPECT_EQ(floats(file.get()), (std::vector<float>{0.5F, -1.0F, 1.0F, 0.0F, -1.0F}));
  EXPECT_EQ(writer.samples(), 5);
}

TEST(PcmWriter, WritesUpToTheLimitAndThenFails) {
  const auto file = media_test::memory_file("");
  PcmWriter writer(file.get(), 20000);
  const std::vector<float> second(16000, 0.25F);
  ASSERT_TRUE(writer.write(second));
  const auto over = writer.write(second);
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, Errc::too_long);
  EXPECT_EQ(floats(file.get()).size(), 20000U);
}

TEST(PcmWriter, AcceptsExactlyTheLimit) {
  const auto file = media_test::memory_file("");
  PcmWriter writer(file.get(), 16000);
  EXPECT_TRUE(writer.write(std::vector<float>(16000)));
}

TEST(PcmWriter, EndsQuietlyWhenTheReaderIsGone) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  platform::UniqueFd read_end(ends[0]);
  const platform::UniqueFd write_end(ends[1]);
  read_end.reset();
  PcmWriter writer(write_end.get(), 0);
  EXPECT_TRUE(writer.write(std::vector<float>(100000)));
  EXPECT_TRUE(writer.reader_gone());
}

TEST(PcmWriter, SaysWhyWritingFailed) {
  PcmWriter writer(-1, 0);
  const auto written = writer.write(std::vector<float>(100000));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Errc::write_failed);
}

}  // namespace
}  // namespace engine::media
