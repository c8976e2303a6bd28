#include "server/process/stderr_tail.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>

namespace server {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read.reset(ends[0]);
    write.reset(ends[1]);
  }
  void say(const std::string& text) {
    EXPECT_EQ(::write(write.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  platform::UniqueFd read, write;
};

TEST(StderrTail, PassesOnWhatItKeeps) {
  asio::io_context io;
  Pipe pipe;
  StderrTail tail(io.get_executor(), std::move(pipe.read));
  testing::internal::CaptureStderr();
  pipe.say("one\n");
  pipe.write.reset();
  io.run();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "one\n");
  EXPECT_EQ(tail.text(), "one\n");
}

TEST(StderrTail, WritesNoEscapesOfTerminals) {
  asio::io_context io;
  Pipe pipe;
  StderrTail tail(io.get_executor(), std::move(pipe.read));
  testing::internal::CaptureStderr();
  pipe.say("\x1b[2Jone\n\ttwo\n");
  pipe.write.reset();
  io.run();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "\\u001b[2Jone\n\ttwo\n");
}

TEST(StderrTail, KnowsWhatNobodyHasReadYet) {
  asio::io_context io;
  Pipe pipe;
  StderrTail tail(io.get_executor(), std::move(pipe.read));
  testing::internal::CaptureStderr();
  pipe.say("last words");
  EXPECT_EQ(tail.text(), "last words");
  testing::internal::GetCapturedStderr();
}

TEST(StderrTail, KeepsTheEndOfMuch) {
  asio::io_context io;
  Pipe pipe;
  StderrTail tail(io.get_executor(), std::move(pipe.read));
  testing::internal::CaptureStderr();
  pipe.say(std::string(20'000, 'a') + "the end");
  const auto kept = tail.text();
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(kept.size(), StderrTail::kept_bytes);
  EXPECT_TRUE(kept.ends_with("the end"));
}

TEST(StderrTail, TakesNoMoreAtOnceThanAPipeHolds) {
  asio::io_context io;
  Pipe pipe;
  ASSERT_GT(::fcntl(pipe.write.get(), F_SETPIPE_SZ, 1 << 20), 1 << 19);
  pipe.say(std::string(1 << 19, 'a'));
  const int left = ::dup(pipe.read.get());
  StderrTail tail(io.get_executor(), std::move(pipe.read));
  testing::internal::CaptureStderr();
  tail.text();
  testing::internal::GetCapturedStderr();
  int bytes = 0;
  ASSERT_EQ(::ioctl(left, FIONREAD, &bytes), 0);
  ::close(left);
  EXPECT_EQ(bytes, (1 << 19) - (64 << 10)) << "one who never ends would be read for ever";
}

TEST(StderrTail, LetsTheEventLoopEndWhenItGoes) {
  asio::io_context io;
  Pipe pipe;
  {
    StderrTail tail(io.get_executor(), std::move(pipe.read));
    io.poll();
  }
  io.restart();
  EXPECT_GT(io.run(), 0u);  // returns although the child still has its end
}

}  // namespace
}  // namespace server
