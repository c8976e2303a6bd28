#include "server/transcription/clock_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace server {

std::string clock_text(double seconds) {
  const auto whole = static_cast<long long>(std::max(0.0, seconds));
  const auto hours = whole / 3600, minutes = whole / 60 % 60, rest = whole % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
  return fmt::format("{}:{:02}", minutes, rest);
}

}  // namespace server
