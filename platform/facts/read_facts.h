#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "platform/facts/facts.h"

namespace platform {

// The source of facts. It is injected, so that a test, or a copy of another machine's files, can be
// judged. Paths such as /proc/meminfo are looked up under `root`.
struct System {
  std::filesystem::path root = "/";
  std::map<std::string, std::string> environment{};

  // Returns this machine; $SCRIBED_SYSTEM_ROOT is the root if it is set.
  static System of_this_process();
};

// Reads everything that files show, in milliseconds: no library is loaded and no process started.
// `native` is left empty. `variables` are the names to report if they are set, besides those of
// variables.h.
Facts read_facts(const System& system, const std::vector<std::string>& variables);

}  // namespace platform
