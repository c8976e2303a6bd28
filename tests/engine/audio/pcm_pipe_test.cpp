#include "engine/audio/pcm_pipe.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <vector>

#include "platform/unique_fd.h"

namespace engine {
namespace {

class PcmPipeTest : public testing::Test {
 protected:
  PcmPipeTest() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read_end_ = platform::UniqueFd(ends[0]);
    write_end_ = platform::UniqueFd(ends[1]);
  }

  void write(std::size_t samples, std::size_t more_bytes = 0) {
    std::vector<float> values;
    for (std::size_t i = 0; i <= samples; ++i) values.push_back(static_cast<float>(written_ + i));
    const std::size_t bytes = samples * sizeof(float) + more_bytes;
    EXPECT_EQ(::write(write_end_.get(), values.data(), bytes), static_cast<ssize_t>(bytes));
    written_ += samples;
  }
  Result<std::size_t> read(std::size_t most, std::size_t least) {
    return read_samples(read_end_.get(), std::span(samples_).first(most), least, stop_.get_token());
  }

  platform::UniqueFd read_end_, write_end_;
  std::size_t written_ = 0;
  std::array<float, 1000> samples_{};
  std::stop_source stop_;
};

TEST_F(PcmPipeTest, TakesWhatIsThereBeyondTheLeast) {
  write(70);
  EXPECT_EQ(read(1000, 50).value(), 70u);
  EXPECT_EQ(samples_[69], 69.0F);
}

TEST_F(PcmPipeTest, LeavesWhatThereIsNoRoomFor) {
  write(70);
  EXPECT_EQ(read(60, 50).value(), 60u);
  EXPECT_EQ(read(60, 10).value(), 10u);
  EXPECT_EQ(samples_[0], 60.0F);
}

TEST_F(PcmPipeTest, WaitsForTheLeast) {
  write(10);
  std::thread writer([this] { write(40); });
  EXPECT_GE(read(1000, 50).value(), 50u);
  writer.join();
}

TEST_F(PcmPipeTest, NeverCutsASample) {
  write(10, 2);
  std::thread writer([this] {
    const char rest[2] = {};
    EXPECT_EQ(::write(write_end_.get(), rest, 2), 2);
  });
  EXPECT_EQ(read(1000, 5).value(), 11u);
  writer.join();
}

TEST_F(PcmPipeTest, GivesLessOnlyAtTheEnd) {
  write(10, 3);
  write_end_.reset();
  EXPECT_EQ(read(1000, 50).value(), 10u);
  EXPECT_EQ(read(1000, 50).value(), 0u);
}

TEST_F(PcmPipeTest, StopsWaitingWhenAskedTo) {
  stop_.request_stop();
  EXPECT_EQ(read(1000, 50).error().code, Errc::cancelled);
}

}  // namespace
}  // namespace engine
