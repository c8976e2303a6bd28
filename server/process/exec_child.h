#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace server {

// A descriptor of this process, and its number in the child.
struct PassedDescriptor {
  int ours = -1;
  int childs = -1;
};

struct SpawnRequest {
  std::filesystem::path program{};       // a bare name is looked for in the PATH of `environment`
  std::vector<std::string> arguments{};  // after argv[0]
  // All descriptors that the child gets. When they are not named, 0 and 1 are /dev/null and 2 is
  // our stderr.
  std::vector<PassedDescriptor> descriptors{};
  // The whole environment of the child, as "NAME=value"; platform::child_environment() gives what
  // is no secret.
  std::vector<std::string> environment{};
  std::filesystem::path folder{};      // its working folder; empty: that of this process
  std::uint64_t max_memory_bytes = 0;  // address space, without core dumps; 0: our limit
  std::uint64_t max_file_bytes = 0;    // limit of each file that it writes; 0: our limit
  std::vector<int> cpus{};             // the CPUs that it may run on; empty: those of this process
                                       // (macOS starts none where they are named)
};

struct StartedChild {
  pid_t pid = -1;
  int error_number = 0;  // why there is no child
};

// Forks and executes: the one way in which scribed starts a program. Everything after the fork is
// async-signal-safe, so that it also holds in a process with threads. Returns once the program
// runs, or could not be started. Linux kills the child when the thread that started it ends.
StartedChild exec_child(const SpawnRequest& request);

}  // namespace server
