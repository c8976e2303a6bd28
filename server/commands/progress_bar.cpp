#include "server/commands/progress_bar.h"

#include <algorithm>

namespace server {

std::string progress_bar(double part, int width) {
  const int filled = std::clamp(static_cast<int>(part * width), 0, width);
  return "[" + std::string(static_cast<std::size_t>(filled), '#') +
         std::string(static_cast<std::size_t>(width - filled), '-') + "]";
}

}  // namespace server
