#include "platform/probe/child.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "fake_machine.h"
#include "platform/probe/file_stamp.h"
#include "platform/runtime_pack.h"

namespace platform {
namespace {

using namespace std::chrono_literals;

ChildCommand shell(const std::string& script) {
  return {"/bin/sh", {"-c", script}};
}

ChildEnd run(const std::string& script, std::chrono::milliseconds limit = 60s) {
  return run_children({shell(script)}, limit).front();
}

bool nothing_is_left() {
  return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

TEST(Child, ReportsWhatItSaidAndHowItEnded) {
  const auto end = run("echo out; echo error >&2; exit 3");
  EXPECT_EQ(end.problem, "");
  EXPECT_EQ(end.out, "out\n");
  EXPECT_EQ(end.error_tail, "error\n");
  EXPECT_EQ(end.exit_code, 3);
  EXPECT_FALSE(end.signal);
  EXPECT_FALSE(end.hung);
}

TEST(Child, ReportsTheSignalThatEndedIt) {
  const auto end = run("kill -SEGV $$");
  EXPECT_EQ(end.signal, SIGSEGV);
  EXPECT_FALSE(end.hung);
}

TEST(Child, HasNoInput) {
  EXPECT_EQ(run("cat; echo done").out, "done\n");
}

TEST(Child, IsKilledWhenItHangsTogetherWithWhatItStarted) {
  const auto end = run("echo $$; sleep 1000 & echo $!; wait", 1s);
  EXPECT_TRUE(end.hung);
  EXPECT_FALSE(end.signal) << "the signal was ours";
  EXPECT_TRUE(nothing_is_left());
  std::istringstream text(end.out);
  pid_t child = 0, grandchild = 0;
  ASSERT_TRUE(text >> child >> grandchild) << end.out;
  EXPECT_EQ(::kill(child, 0), -1);
  // The process that adopts orphans reaps it; until then the killed one is a zombie, which cannot
  // run.
  const std::string state = run("ps -o state= -p " + std::to_string(grandchild)).out;
  EXPECT_TRUE(state.empty() || state.front() == 'Z') << state;
}

TEST(Child, IsKilledWhenItNeverStopsTalking) {
  const auto end = run("while :; do echo 0123456789012345678901234567890123456789; done");
  EXPECT_TRUE(end.flooded);
  EXPECT_FALSE(end.hung);
  EXPECT_TRUE(nothing_is_left());
}

TEST(Child, IsKilledWhenItClosesItsOutputAndStays) {
  const auto end = run("echo all; exec >&- 2>&-; sleep 1000");
  EXPECT_TRUE(end.hung);
  EXPECT_EQ(end.out, "all\n");
  EXPECT_TRUE(nothing_is_left());
}

TEST(Child, KeepsOnlyTheEndOfALongErrorOutput) {
  const auto end = run("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done");
  EXPECT_LE(end.error_tail.size(), 4096U);
  EXPECT_TRUE(end.error_tail.ends_with("line 2999\n"));
}

TEST(Child, SaysWhyThereIsNone) {
  const auto end = run_children({{"/nowhere/scribed", {}}}, 60s).front();
  EXPECT_EQ(end.problem, "cannot start /nowhere/scribed: No such file or directory");
}

// Runs in a copy of this program, which removes its own file and then starts itself again.
TEST(Child, IsStartedFromAProgramThatWasReplaced) {
  namespace fs = std::filesystem;
  constexpr char role[] = "SCRIBED_TEST_REPLACED";
  if (std::getenv(role) != nullptr) {
    fs::remove(program_file());
    EXPECT_FALSE(program_folder().empty());
    EXPECT_TRUE(fs::is_directory(program_folder()));
    EXPECT_NE(stamp_of(program_file()).size, 0);
    const auto end = run_children({{program_file(), {"--gtest_list_tests"}}}, 60s).front();
    EXPECT_EQ(end.problem, "");
    EXPECT_NE(end.out.find("IsStartedFromAProgramThatWasReplaced"), std::string::npos);
    return;
  }
  test::FakeMachine machine;
  fs::copy(program_file(), machine / "program");
  machine.variable(role, "1");
  const auto end =
      run_children({{machine / "program", {"--gtest_filter=Child.IsStartedFrom*"}}}, 60s).front();
  EXPECT_EQ(end.exit_code, 0) << end.problem << end.out;
  EXPECT_FALSE(fs::exists(machine / "program"));
}

TEST(Child, RunsBesideOthersAndAnswersInOrder) {
  const auto ends = run_children(
      {shell("sleep 0.2; echo one"), shell("echo two"), shell("sleep 1000"), shell("echo four")},
      3s);
  ASSERT_EQ(ends.size(), 4U);
  EXPECT_EQ(ends[0].out, "one\n");
  EXPECT_EQ(ends[1].out, "two\n");
  EXPECT_TRUE(ends[2].hung);
  EXPECT_EQ(ends[3].out, "four\n");
  EXPECT_TRUE(nothing_is_left());
}

TEST(Child, StartsWithDefaultSignalsAndAnEmptyMask) {
  const auto before = std::signal(SIGTERM, SIG_IGN);
  sigset_t blocked, old;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &blocked, &old);
  const auto end = run("grep SigBlk /proc/self/status; kill -TERM $$; echo still here");
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
  std::signal(SIGTERM, before);
  EXPECT_EQ(end.out, "SigBlk:\t0000000000000000\n");
  EXPECT_EQ(end.signal, SIGTERM);
}

}  // namespace
}  // namespace platform
