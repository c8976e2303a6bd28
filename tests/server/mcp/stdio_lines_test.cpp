#include "server/mcp/stdio_lines.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <csignal>
#include <optional>
#include <string>
#include <vector>

#include "tests/server/started.h"

namespace server {
namespace {

struct Pipe {
  Pipe() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    read.reset(ends[0]);
    write.reset(ends[1]);
  }
  platform::UniqueFd read{};
  platform::UniqueFd write{};
};

class StdioLinesTest : public testing::Test {
 protected:
  void SetUp() override { handled_ = std::signal(SIGPIPE, SIG_IGN); }
  void TearDown() override {
    stdio.reset();
    std::signal(SIGPIPE, handled_);
  }

  void start(StdioLines::Limits limits = {}) {
    stdio.emplace(io.get_executor(), std::move(in.read), std::move(out.write), limits);
    stdio->start({.on_line = [this](std::string line) { lines.push_back(std::move(line)); },
                  .on_end = [this] { ++ends; }});
  }
  void send(const std::string& bytes) const {
    EXPECT_EQ(::write(in.write.get(), bytes.data(), bytes.size()),
              static_cast<ssize_t>(bytes.size()));
  }
  // So many bytes of the output; fewer where it ends.
  std::string received(std::size_t count) const {
    std::string bytes(count, '\0');
    std::size_t filled = 0;
    while (filled < count) {
      const auto got = ::read(out.read.get(), bytes.data() + filled, count - filled);
      if (got <= 0) break;
      filled += static_cast<std::size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
  }
  void wait_for_lines(std::size_t count) {
    test::run_until(io, [&] { return lines.size() >= count; });
  }
  void wait_for_end() {
    test::run_until(io, [&] { return ends > 0; });
  }

  boost::asio::io_context io;
  Pipe in, out;
  std::vector<std::string> lines{};
  int ends = 0;
  std::optional<StdioLines> stdio{};

 private:
  void (*handled_)(int) = SIG_DFL;
};

TEST_F(StdioLinesTest, EachLineIsOneMessageHoweverItComes) {
  start();
  send("one\ntwo\nth");
  wait_for_lines(2);
  send("ree\n\n");
  wait_for_lines(4);
  EXPECT_EQ(lines, (std::vector<std::string>{"one", "two", "three", ""}));
  EXPECT_EQ(ends, 0);
}

TEST_F(StdioLinesTest, TheEndOfTheInputIsToldBehindAllLines) {
  start();
  send("one\nno line");
  in.write.reset();
  wait_for_end();
  EXPECT_EQ(lines, std::vector<std::string>{"one"});
  out.read.reset();
  stdio->write("nobody reads this");
  stdio.reset();
  io.restart();
  io.poll();
  EXPECT_EQ(ends, 1) << "once";
}

TEST_F(StdioLinesTest, ALineThatIsTooLongEndsTheInput) {
  start({.line_bytes = 1000});
  send(std::string(1000, 'a') + "\n");
  wait_for_lines(1);
  EXPECT_EQ(ends, 0);
  send(std::string(1001, 'a'));
  wait_for_end();
  EXPECT_EQ(lines.size(), 1U);
}

TEST_F(StdioLinesTest, LinesAreWrittenWholeAndInTheirOrder) {
  start();
  const std::string large(300'000, 'x');
  stdio->write("first");
  stdio->write(large);
  stdio->write("last");
  const std::string expected = "first\n" + large + "\nlast\n";
  EXPECT_TRUE(received(expected.size()) == expected);
}

TEST_F(StdioLinesTest, AReaderWhoIsGoneIsAnEnd) {
  start();
  out.read.reset();
  stdio->write("one");
  wait_for_end();
  stdio->write("two");
  EXPECT_EQ(ends, 1);
}

TEST_F(StdioLinesTest, OutputThatNobodyReadsIsGivenUp) {
  start({.unread_bytes = 200'000});
  stdio->write(std::string(150'000, 'x'));
  io.poll();
  EXPECT_EQ(ends, 0);
  stdio->write(std::string(150'000, 'x'));
  wait_for_end();
}

TEST_F(StdioLinesTest, WhatIsWrittenBeforeTheEndIsNotLost) {
  start();
  std::string expected;
  for (int i = 0; i < 1000; ++i) {
    stdio->write(std::to_string(i));
    expected += std::to_string(i) + "\n";
  }
  stdio.reset();
  EXPECT_EQ(received(expected.size() + 1), expected);
}

}  // namespace
}  // namespace server
