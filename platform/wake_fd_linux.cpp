#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "platform/wake_fd.h"

namespace platform {

WakeFd::WakeFd() : read_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!read_) throw std::system_error(errno, std::generic_category(), "eventfd");
}

void WakeFd::wake() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(read_.get(), &one, sizeof one);
}

void WakeFd::quiet() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = ::read(read_.get(), &count, sizeof count);
}

}  // namespace platform
