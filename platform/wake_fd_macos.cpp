#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "platform/wake_fd.h"

namespace platform {

WakeFd::WakeFd() {
  int ends[2];
  if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  read_.reset(ends[0]);
  write_.reset(ends[1]);
  for (const int end : ends) {
    ::fcntl(end, F_SETFD, FD_CLOEXEC);
    ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
}

// A pipe that is full wakes as well as one with a byte more.
void WakeFd::wake() const {
  const char one = 1;
  [[maybe_unused]] const auto written = ::write(write_.get(), &one, sizeof one);
}

void WakeFd::quiet() const {
  std::array<char, 4096> bytes;
  while (::read(read_.get(), bytes.data(), bytes.size()) > 0) {
  }
}

}  // namespace platform
