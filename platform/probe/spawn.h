#pragma once

#include <sys/types.h>

namespace platform {

struct ChildCommand;

struct SpawnedChild {
  pid_t pid = -1;
  int error_number = 0;  // why there is no child
};

// Starts the program with /dev/null as input, `out` and `error` as outputs, default signals, the
// environment of a worker, and a process group of its own. It is safe in a process with threads.
SpawnedChild spawn(const ChildCommand& command, int out, int error);

}  // namespace platform
