#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "server/models/error.h"
#include "server/models/observer.h"

namespace server {

struct ChildProgram {
  std::vector<std::string> arguments{};  // the first is the program, found in PATH
  // Variables in addition to those that a package client may have (platform/child_environment.h).
  std::vector<std::pair<std::string, std::string>> environment{};
  std::filesystem::path folder = "/";  // the working folder; absolute
  std::uint64_t max_file_bytes = 0;    // limit of each file that it writes; 0: none
  std::chrono::seconds time_limit{1800};
};

struct ChildResult {
  int exit_status = 0;   // 128 + signal where a signal ended it; 127: not found
  std::string output{};  // the last kilobytes of stdout and stderr together
};

// Runs a program to its end, with nothing on its stdin. The program is killed when this process
// ends (on Linux), when `stop` is requested, and at the time limit. `on_wait` is called a few times
// a second meanwhile.
StoreResult<ChildResult> run_child(const ChildProgram& program, const std::stop_token& stop,
                                   const std::function<void()>& on_wait = {});

}  // namespace server
