#pragma once

#include <string>

namespace server {

// Why the daemon cannot work now.
struct NotReady {
  std::string why{};            // may name folders and devices: for clients who may read the status
  std::string for_everybody{};  // names neither
};

}  // namespace server
