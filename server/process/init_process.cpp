#include "server/process/init_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "platform/secret_variable.h"

namespace server {
namespace {

// Reaps every process that has ended; returns the status of `child` where it is among them.
std::optional<int> reap(pid_t child) {
  std::optional<int> status;
  int ended = 0;
  while (const pid_t pid = ::waitpid(-1, &ended, WNOHANG)) {
    if (pid < 0) break;
    if (pid == child) status = WIFSIGNALED(ended) ? 128 + WTERMSIG(ended) : WEXITSTATUS(ended);
  }
  return status;
}

}  // namespace

std::optional<int> run_as_init() {
  sigset_t all, before;
  ::sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, &before);
  const pid_t child = ::fork();
  if (child <= 0) {
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return std::nullopt;
  }
  platform::forget_environment();  // it may hold keys, and only the child needs it
  while (true) {
    siginfo_t info{};
    const int signal = ::sigwaitinfo(&all, &info);
    if (signal == SIGCHLD) {
      if (const auto status = reap(child)) return status;
    } else if (signal > 0 && info.si_code <= 0) {
      // The child gets the signals that the kernel itself sends (Ctrl-C on a terminal) as well.
      ::kill(child, signal);
    }
  }
}

}  // namespace server
