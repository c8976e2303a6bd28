#include "server/log/patient_sink.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace server {

bool PatientSink::write_all(std::string_view bytes) {
  constexpr int patience_ms = 1000;
  pollfd ready{fd_, POLLOUT, 0};
  while (!bytes.empty()) {
    const int found = ::poll(&ready, 1, is_stuck_ ? 0 : patience_ms);
    if (found < 0 && errno == EINTR) continue;
    is_stuck_ = found != 1 || (ready.revents & POLLOUT) == 0;
    if (is_stuck_) return false;
    // A pipe that is ready is sure to take 4096 bytes, but not more.
    const auto written = ::write(fd_, bytes.data(), std::min<std::size_t>(bytes.size(), 4096));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    is_torn_ = !bytes.empty();
  }
  return true;
}

void PatientSink::sink_it_(const spdlog::details::log_msg& message) {
  std::string line = is_torn_ ? "\n" : "";
  line.append(message.payload.data(), message.payload.size()) += '\n';
  write_all(line);
}

}  // namespace server
