#pragma once

#include <sys/types.h>

namespace server {

struct SpawnRequest;

struct StartedChild {
  pid_t pid = -1;
  int error_number = 0;  // why there is no child
};

// Forks and executes. Everything after the fork is async-signal-safe, so that it also holds in a
// process with threads. Returns once the program runs, or could not be started.
StartedChild exec_child(const SpawnRequest& request);

}  // namespace server
