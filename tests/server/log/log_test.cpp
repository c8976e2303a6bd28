#include "server/log/log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

#include "platform/unique_fd.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

class LogTest : public ::testing::Test {
 protected:
  Log::Settings settings() const {
    return {.fd = fd_.get(), .now = [] { return 0.0; }};
  }
  std::string written() const { return test::read_text(root_ / "log"); }

  test::TemporaryFolder root_{};
  platform::UniqueFd fd_{::open((root_ / "log").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600)};
};

TEST_F(LogTest, WritesOneLineForEachEventOfItsLevelOrAbove) {
  {
    auto some = settings();
    some.level = LogLevel::warning;
    Log log(some);
    log.debug("a");
    log.info("b");
    log.warning("c", {{"job", "1"}});
    log.error("d\nlevel=info msg=forged");
  }
  EXPECT_EQ(written(),
            "time=1970-01-01T00:00:00.000Z level=warning msg=c job=1\n"
            "time=1970-01-01T00:00:00.000Z level=error msg=\"d\\nlevel=info msg=forged\"\n");
}

TEST_F(LogTest, TheJournalGetsPrioritiesAndNoTime) {
  {
    auto some = settings();
    some.level = LogLevel::debug;
    some.is_journal = true;
    Log log(some);
    log.debug("a");
    log.info("b");
    log.warning("c");
    log.error("d");
  }
  EXPECT_EQ(written(),
            "<7>level=debug msg=a\n<6>level=info msg=b\n<4>level=warning msg=c\n"
            "<3>level=error msg=d\n");
}

TEST_F(LogTest, LinesOfSeveralThreadsStayWhole) {
  constexpr int lines = 500;
  {
    Log log(settings());
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&log, i] {
        for (int n = 0; n < lines; ++n) log.info("event", {{"of", i}, {"n", n}});
      });
    }
    for (auto& thread : threads) thread.join();
  }
  const auto text = written();
  EXPECT_EQ(std::ranges::count(text, '\n'), 4 * lines);
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    EXPECT_EQ(text.compare(at, 5, "time="), 0);
  }
}

TEST(Log, AReaderThatDoesNotReadHoldsUpNobody) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const platform::UniqueFd reader(ends[0]);
  const platform::UniqueFd writer(ends[1]);
  {
    Log log({.fd = writer.get()});
    const std::string much(1500, 'x');
    for (int i = 0; i < 10'000; ++i) log.info("event", {{"much", much}});
  }
  // The test is that the log ends; the text that fitted into the pipe is there.
  std::array<char, 5> begin{};
  EXPECT_EQ(::read(reader.get(), begin.data(), begin.size()), 5);
  EXPECT_EQ(std::string(begin.data(), 5), "time=");
}

TEST(Log, KnowsTheJournalByItsStream) {
  const test::TemporaryFolder root;
  const platform::UniqueFd fd(::open((root / "log").c_str(), O_WRONLY | O_CREAT, 0600));
  struct stat info {};
  ASSERT_EQ(::fstat(fd.get(), &info), 0);
  const std::string own = std::to_string(info.st_dev) + ":" + std::to_string(info.st_ino);
  for (const auto& [stream, expected] :
       {std::pair{own, true}, std::pair{own + "1", false}, std::pair{std::string(), false}}) {
    EXPECT_EQ(is_journal_stream([&stream = stream](const char*) { return stream; }, fd.get()),
              expected)
        << stream;
  }
}

}  // namespace
}  // namespace server
