#include "server/process/init_process.h"

namespace server {

// A program is process 1 only in a container, and macOS has none.
std::optional<int> run_as_init() {
  return std::nullopt;
}

}  // namespace server
