#include "server/process/exit_status.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstring>
#include <fstream>

namespace server {

ExitStatus from_wait_status(int status) {
  if (WIFSIGNALED(status)) return {.code = {}, .signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status), .signal = {}};
}

std::string describe(const ExitStatus& status) {
  if (status.signal) {
    const char* name = ::sigabbrev_np(*status.signal);
    return fmt::format("was killed by signal {}{}", *status.signal,
                       name ? fmt::format(" (SIG{})", name) : "");
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
