#include "server/process/exit_status.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string>

namespace server {
namespace {

// Returns "KILL" for SIGKILL; empty: no signal has the number.
std::string signal_name(int signal) {
#if defined(__APPLE__)
  if (signal <= 0 || signal >= NSIG) return "";
  std::string name = sys_signame[signal];
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
#else
  const char* name = ::sigabbrev_np(signal);
  return name ? name : "";
#endif
}

}  // namespace

ExitStatus from_wait_status(int status) {
  if (WIFSIGNALED(status)) return {.code = {}, .signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status), .signal = {}};
}

std::string describe(const ExitStatus& status) {
  if (status.signal) {
    const std::string name = signal_name(*status.signal);
    return fmt::format("was killed by signal {}{}", *status.signal,
                       name.empty() ? "" : fmt::format(" (SIG{})", name));
  }
  return fmt::format("ended with exit code {}", status.code.value_or(-1));
}

long long out_of_memory_kills() {
  std::ifstream vmstat("/proc/vmstat");
  std::string name;
  long long value = 0;
  while (vmstat >> name >> value) {
    if (name == "oom_kill") return value;
  }
  return 0;
}

}  // namespace server
