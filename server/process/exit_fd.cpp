#include "server/process/exit_fd.h"

#include <poll.h>

#include <cerrno>

namespace server {

bool has_ended_within(int exit_fd, std::chrono::milliseconds limit) {
  pollfd ended{.fd = exit_fd, .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    ready = ::poll(&ended, 1, static_cast<int>(limit.count()));
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

}  // namespace server
