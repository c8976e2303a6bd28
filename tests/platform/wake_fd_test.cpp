#include "platform/wake_fd.h"

#include <gtest/gtest.h>
#include <poll.h>

namespace platform {
namespace {

bool is_readable(const WakeFd& wake) {
  pollfd state{.fd = wake.fd(), .events = POLLIN, .revents = 0};
  return ::poll(&state, 1, 0) == 1;
}

TEST(WakeFd, IsReadableFromWakeUntilQuiet) {
  const WakeFd wake;
  EXPECT_FALSE(is_readable(wake));
  wake.wake();
  EXPECT_TRUE(is_readable(wake));
  wake.quiet();
  EXPECT_FALSE(is_readable(wake));
}

TEST(WakeFd, OneQuietEndsManyWakes) {
  const WakeFd wake;
  for (int i = 0; i < 1000; ++i) wake.wake();
  wake.quiet();
  EXPECT_FALSE(is_readable(wake));
  wake.quiet();  // does not wait
  wake.wake();
  EXPECT_TRUE(is_readable(wake));
}

}  // namespace
}  // namespace platform
