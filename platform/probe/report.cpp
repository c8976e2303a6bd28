#include "platform/probe/report.h"

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace platform {

void Report::line(const char* key, const nlohmann::json& value) {
  // Bytes from a library may be no UTF-8.
  const std::string text =
      nlohmann::json{{key, value}}.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
      '\n';
  std::string_view left = text;
  while (!left.empty()) {
    const auto written = ::write(out_.get(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return;  // the parent no longer reads
    left.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace platform
