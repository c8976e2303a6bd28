#include "engine/media/report.h"

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace engine::media {

void Report::send(const protocol::decoder::Message& message) {
  if (fd_ < 0) return;
  const std::string line = protocol::decoder::encode(message);
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Report::warn(std::string code, std::string message) {
  send(protocol::decoder::Warning{std::move(code), std::move(message)});
}

}  // namespace engine::media
