#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>

#include "server/base/error.h"

namespace server {

// After so many deaths of one model's workers in such a time no worker is started for a while, and
// for twice as long after each further one.
struct CrashLimits {
  int deaths = 5;
  std::chrono::milliseconds window{60'000};
  std::chrono::milliseconds first_pause{1'000};
  std::chrono::milliseconds last_pause{60'000};
};

// Keeps a model whose workers die again and again from taking the machine along.
class CrashGuard {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit CrashGuard(CrashLimits limits) : limits_(limits) {}

  void died(TimePoint now, const Error& reason);

  // Why no worker is to be started now; nothing when one may be.
  std::optional<Error> refusal(TimePoint now, const std::string& model) const;

 private:
  CrashLimits limits_;
  std::deque<TimePoint> deaths_{};  // within the window
  std::chrono::milliseconds pause_{0};
  TimePoint paused_until_{};
  Error reason_{};
};

}  // namespace server
