#include "server/daemon/settled_clock.h"

#include <cmath>
#include <ctime>

namespace server {
namespace {

SettledClock::Seconds read(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

#if defined(__APPLE__)
constexpr clockid_t unresting_clock = CLOCK_MONOTONIC;
#else
constexpr clockid_t unresting_clock = CLOCK_BOOTTIME;
#endif

}  // namespace

bool SettledClock::is_settled(Seconds wall, Seconds steady) {
  const auto apart = since_ ? (wall - since_->wall) - (steady - since_->steady) : Seconds(0);
  if (!since_ || std::abs(apart.count()) > tolerance.count()) since_ = Pair{wall, steady};
  return steady - since_->steady >= settle_time;
}

bool SettledClock::is_settled() {
  return is_settled(read(CLOCK_REALTIME), read(unresting_clock));
}

}  // namespace server
