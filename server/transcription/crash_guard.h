#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <string>

#include "server/base/error.h"

namespace server {

// After this many deaths of one model's workers within the window, no worker is started for a
// while, and for twice as long after each further death.
struct CrashLimits {
  int deaths = 5;
  std::chrono::milliseconds window{60'000};
  std::chrono::milliseconds first_pause{1'000};
  std::chrono::milliseconds last_pause{60'000};
};

// Keeps a model whose workers die again and again from using up the machine.
class CrashGuard {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit CrashGuard(CrashLimits limits) : limits_(limits) {}

  void died(TimePoint now, const Error& reason);

  // Returns why no worker may be started now; nothing if one may.
  std::optional<Error> refusal(TimePoint now, const std::string& model) const;

 private:
  CrashLimits limits_;
  std::deque<TimePoint> deaths_{};  // within the window
  std::chrono::milliseconds pause_{0};
  TimePoint paused_until_{};
  Error reason_{};
};

}  // namespace server
