#include "engine/audio/pcm_pipe.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

namespace engine {
namespace {

constexpr int stop_check_ms = 100;

bool is_readable(int fd, int timeout_ms) {
  pollfd entry{fd, POLLIN, 0};
  return ::poll(&entry, 1, timeout_ms) != 0;
}

// Waits until there is something to read. Returns false on a stop request.
bool wait_readable(int fd, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    if (is_readable(fd, stop_check_ms)) return true;
  }
  return false;
}

}  // namespace

Result<std::size_t> read_samples(int pipe, std::span<float> samples, std::size_t least,
                                 const std::stop_token& stop) {
  const auto bytes = std::as_writable_bytes(samples);
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const bool enough = filled >= least * sizeof(float) && filled % sizeof(float) == 0;
    if (enough && !is_readable(pipe, 0)) break;
    if (!wait_readable(pipe, stop)) {
      return Error{Errc::cancelled, "the transcription was cancelled", ""};
    }
    const ssize_t n = ::read(pipe, bytes.data() + filled, bytes.size() - filled);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      return Error{Errc::input_failed,
                   std::string("the decoded audio could not be read: ") + std::strerror(errno), ""};
    }
    if (n == 0) break;
    filled += static_cast<std::size_t>(n);
  }
  return filled / sizeof(float);
}

}  // namespace engine
