#include "server/process/child_process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "platform/cpu_sets.h"
#include "platform/cpu_system.h"
#include "platform/unique_fd.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/started.h"

namespace server {
namespace {

using std::chrono::milliseconds;

class ChildProcessTest : public testing::Test {
 protected:
  // Returns what a shell script writes to its descriptor 5, and how it ends.
  std::pair<std::string, ExitStatus> run_script(const std::string& script,
                                                const std::vector<int>& cpus = {}) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    platform::UniqueFd read(ends[0]), write(ends[1]);
    auto child = ChildProcess::spawn(io_.get_executor(),
                                     {.program = "/bin/sh",
                                      .arguments = {"-c", script},
                                      .descriptors = {{.ours = write.get(), .childs = 5}},
                                      .cpus = cpus});
    write.reset();
    std::string text;
    char buffer[512];
    ssize_t got = 0;
    while ((got = ::read(read.get(), buffer, sizeof buffer)) > 0) {
      text.append(buffer, static_cast<std::size_t>(got));
    }
    return {text, test::run(io_, child->exited())};
  }

  boost::asio::io_context io_;
};

TEST_F(ChildProcessTest, TellsTheExitCode) {
  EXPECT_EQ(describe(run_script("exit 7").second), "ended with exit code 7");
  EXPECT_TRUE(run_script("exit 0").second.ok());
}

TEST_F(ChildProcessTest, TellsTheSignal) {
  EXPECT_EQ(describe(run_script("kill -9 $$").second), "was killed by signal 9 (SIGKILL)");
}

TEST_F(ChildProcessTest, HasOnlyTheDescriptorsItWasGiven) {
  const platform::UniqueFd inheritable(::dup(STDERR_FILENO));  // not close-on-exec
  const auto [listing, status] = run_script(
      "for fd in 3 4 5 6 7 8 9; do "
      "[ -e /dev/fd/$fd ] && echo -n $fd >&5; done");
  EXPECT_EQ(listing, "5");
}

TEST_F(ChildProcessTest, ReadsNothingFromStdinUnlessItWasGiven) {
  EXPECT_EQ(run_script("cat >&5").first, "");
}

TEST_F(ChildProcessTest, RunsOnTheCpusItWasGivenAndItsOwnerOnAll) {
  const std::string tell =
      "while read -r name list; do "
      "[ $name = Cpus_allowed_list: ] && echo $list >&5; done </proc/self/status";
  const auto usable = platform::usable_cpus();
  ASSERT_FALSE(usable.empty());
  for (const int cpu : usable) {
    EXPECT_EQ(run_script(tell, {cpu}).first, std::to_string(cpu) + "\n");
  }
  EXPECT_EQ(platform::parse_cpu_list(run_script(tell, usable).first), usable);
  EXPECT_EQ(platform::parse_cpu_list(run_script(tell).first), usable);
  EXPECT_EQ(platform::usable_cpus(), usable);
}

TEST_F(ChildProcessTest, IsNotStartedOnACpuThatIsNotThere) {
  const auto child = ChildProcess::spawn(
      io_.get_executor(), {.program = "/bin/sh", .arguments = {"-c", "exit 0"}, .cpus = {8000}});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().message, "cannot start /bin/sh: Invalid argument");
}

TEST_F(ChildProcessTest, SwapsDescriptorsThatNameEachOther) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const platform::UniqueFd read(ends[0]), write(ends[1]);
  auto child = ChildProcess::spawn(
      io_.get_executor(),
      {"/bin/sh",
       {"-c", "echo hi >&" + std::to_string(read.get())},
       {{.ours = write.get(), .childs = read.get()}, {.ours = read.get(), .childs = write.get()}}});
  ASSERT_TRUE(child);
  EXPECT_TRUE(test::run(io_, child->exited()).ok());
  char text[3] = {};
  EXPECT_EQ(::read(read.get(), text, 3), 3);
  EXPECT_EQ(std::string(text, 3), "hi\n");
}

TEST_F(ChildProcessTest, LeavesCtrlCToItsOwner) {
  EXPECT_EQ(run_script("kill -INT $$; echo -n on >&5").first, "on");
}

TEST_F(ChildProcessTest, NamesAProgramThatIsNotThere) {
  const auto child = ChildProcess::spawn(io_.get_executor(), {"/nowhere/program", {}, {}});
  ASSERT_TRUE(child.has_error());
  EXPECT_EQ(child.error().code, errc::program_missing);
  EXPECT_NE(child.error().message.find("/nowhere/program"), std::string::npos);
}

TEST_F(ChildProcessTest, IsKilledWhenItDoesNotEndInTime) {
  auto child = ChildProcess::spawn(io_.get_executor(), {"/bin/sleep", {"1000"}, {}});
  EXPECT_EQ(test::run(io_, child->exited_within(milliseconds(10))).signal, SIGKILL);
}

TEST_F(ChildProcessTest, IsGoneWithItsOwner) {
  pid_t pid = -1;
  {
    auto child = ChildProcess::spawn(io_.get_executor(), {"/bin/sleep", {"1000"}, {}});
    pid = child->pid();
    EXPECT_EQ(::kill(pid, 0), 0);
  }
  test::run_until(io_, [pid] { return ::kill(pid, 0) != 0; });  // not even a zombie is left
}

TEST_F(ChildProcessTest, CountsAsKilledWhenItWasLeft) {
  auto child = ChildProcess::spawn(io_.get_executor(), {"/bin/sleep", {"1000"}, {}});
  child->leave();
  EXPECT_EQ(test::run(io_, child->exited()).signal, SIGKILL);
}

}  // namespace
}  // namespace server
