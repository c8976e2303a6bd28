#include "server/process/init_process.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "platform/unique_fd.h"

namespace server {
namespace {

// An init in a process of its own, whose child is a shell with a script. Orphans below it become
// its children, as those of a container become children of process 1.
class Init {
 public:
  explicit Init(const char* script) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    output_.reset(ends[0]);
    const platform::UniqueFd write(ends[1]);
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (const auto status = run_as_init()) ::_exit(*status);
    ::dup2(write.get(), STDOUT_FILENO);
    ::execl("/bin/sh", "sh", "-c", script, nullptr);
    ::_exit(127);
  }
  ~Init() {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
  }

  // Waits until the script writes a line.
  void wait_for_line() {
    char byte = 0;
    while (::read(output_.get(), &byte, 1) == 1 && byte != '\n') {
    }
  }

  void signal(int number) { ::kill(pid_, number); }

  int exit_status() {
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  platform::UniqueFd output_{};
  pid_t pid_ = -1;
};

TEST(InitProcess, EndsAsItsChildEnds) {
  EXPECT_EQ(Init("exit 0").exit_status(), 0);
  EXPECT_EQ(Init("exit 7").exit_status(), 7);
  EXPECT_EQ(Init("kill -9 $$").exit_status(), 128 + SIGKILL);
}

TEST(InitProcess, PassesSignalsOn) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) {
    Init init("trap 'exit 5' TERM INT HUP USR1; echo; while :; do sleep 0.01; done");
    init.wait_for_line();
    init.signal(number);
    EXPECT_EQ(init.exit_status(), 5) << number;
  }
}

TEST(InitProcess, LeavesTheChildItsOwnSignals) {
  // Signals that are blocked in the init would stay blocked in the child, and have no effect.
  EXPECT_EQ(Init("kill -TERM $$; exit 0").exit_status(), 128 + SIGTERM);
}

TEST(InitProcess, WaitsForOrphans) {
  // A process that was not waited for keeps its place in /proc.
  constexpr char script[] = R"(
    orphan=$(sh -c 'sleep 0.05 >/dev/null & echo $!')
    for i in $(seq 500); do [ -e /proc/$orphan ] || exit 0; sleep 0.01; done
    exit 9)";
  EXPECT_EQ(Init(script).exit_status(), 0);
}

}  // namespace
}  // namespace server
