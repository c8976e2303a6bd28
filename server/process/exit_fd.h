#pragma once

#include <sys/types.h>

#include <chrono>

namespace server {

// A process that hangs inside a driver outlives SIGKILL until the driver lets go of it. Waiting for
// that would stop this process too, so it is left to the process that adopts it.
inline constexpr std::chrono::milliseconds kill_limit{2'000};

// Opens a descriptor that is readable, and stays so, once a child of this process has ended, which
// nobody has waited for. -1: errno says why there is none.
int open_exit_fd(pid_t child);

// Blocks until the descriptor is readable, at most for that long. Returns whether it is.
bool has_ended_within(int exit_fd, std::chrono::milliseconds limit);

}  // namespace server
