#pragma once

#include <optional>
#include <string>

namespace server {

// The end of a process: a code of its own or a signal.
struct ExitStatus {
  std::optional<int> code{};
  std::optional<int> signal{};

  bool ok() const { return code == 0; }
};

ExitStatus from_wait_status(int status);

// Returns "ended with exit code 3", "was killed by signal 9 (SIGKILL)"
std::string describe(const ExitStatus& status);

// Returns how many processes the kernel has killed for lack of memory since boot; 0: unknown. A
// rise during a child's life, and SIGKILL as its end, mean that memory ran out. Only Linux counts.
long long out_of_memory_kills();

}  // namespace server
