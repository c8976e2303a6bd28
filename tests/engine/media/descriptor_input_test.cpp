#include "engine/media/descriptor_input.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

#include "tests/engine/media/media_bytes.h"

namespace engine::media {
namespace {

struct Pipe {
  explicit Pipe(const std::string& bytes) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("[test] no pipe");
    read_end.reset(ends[0]);
    const platform::UniqueFd write_end(ends[1]);
    if (::write(write_end.get(), bytes.data(), bytes.size()) < 0) {
      throw std::runtime_error("[test] the pipe is closed");
    }
  }
  platform::UniqueFd read_end;
};

std::string read(DescriptorInput& input, int count) {
  std::string bytes(static_cast<std::size_t>(count), '\0');
  const int got = avio_read(input.context(), reinterpret_cast<unsigned char*>(bytes.data()), count);
  bytes.resize(static_cast<std::size_t>(std::max(got, 0)));
  return bytes;
}

TEST(DescriptorInput, SeeksInARegularFileWhateverItsOffset) {
  const auto file = media_test::memory_file("0123456789");
  ::lseek(file.get(), 4, SEEK_SET);
  DescriptorInput input(file.get(), 0);
  EXPECT_TRUE(input.seekable());
  EXPECT_EQ(avio_size(input.context()), 10);
  EXPECT_EQ(read(input, 3), "012");
  EXPECT_EQ(avio_seek(input.context(), 8, SEEK_SET), 8);
  EXPECT_EQ(read(input, 9), "89");
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_CUR), 4);
}

TEST(DescriptorInput, ReadsAPipeOnceAndRefusesToGoBack) {
  const Pipe pipe(std::string(200000 / 4, 'x'));
  DescriptorInput input(pipe.read_end.get(), 0);
  EXPECT_FALSE(input.seekable());
  EXPECT_EQ(read(input, 50000).size(), 50000U);
  EXPECT_EQ(read(input, 1), "");
  EXPECT_FALSE(input.refused_seek());
  EXPECT_EQ(input.bytes_read(), 50000);
  EXPECT_LT(avio_seek(input.context(), 1000000, SEEK_SET), 0);
}

TEST(DescriptorInput, StopsAtTheLimitOfBytes) {
  const auto file = media_test::memory_file(std::string(1000, 'x'));
  DescriptorInput within(file.get(), 1000);
  read(within, 1000);
  EXPECT_TRUE(within.status());
  DescriptorInput over(file.get(), 999);
  read(over, 1000);
  ASSERT_FALSE(over.status());
  EXPECT_EQ(over.status().error().code, Errc::too_large);
}

TEST(DescriptorInput, SaysWhyReadingFailed) {
  DescriptorInput input(-1, 0);
  read(input, 1);
  ASSERT_FALSE(input.status());
  EXPECT_EQ(input.status().error().code, Errc::read_failed);
}

}  // namespace
}  // namespace engine::media
