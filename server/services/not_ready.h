#pragma once

#include <string>

namespace server {

// Why the daemon cannot work now.
struct NotReady {
  std::string why{};            // names folders and devices: for those who may read the status
  std::string for_everybody{};  // names none
};

}  // namespace server
