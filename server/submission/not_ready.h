#pragma once

#include <string>

namespace server {

// The reason why the daemon cannot work now.
struct NotReady {
  std::string why{};            // may name folders and devices: for clients who may read the status
  std::string for_everybody{};  // names no folder and no device
};

}  // namespace server
