#include "server/transcription/crash_guard.h"

#include <fmt/format.h>

#include <algorithm>

namespace server {

using std::chrono::milliseconds;

void CrashGuard::died(TimePoint now, const Error& reason) {
  reason_ = reason;
  // A worker that lived through a whole window since the last pause starts the count anew.
  if (pause_ > milliseconds{0} && now - paused_until_ > limits_.window) {
    pause_ = milliseconds{0};
    deaths_.clear();
  }
  deaths_.push_back(now);
  while (now - deaths_.front() > limits_.window) deaths_.pop_front();
  if (pause_ > milliseconds{0}) {
    pause_ = std::min(2 * pause_, limits_.last_pause);
  } else if (static_cast<int>(deaths_.size()) >= limits_.deaths) {
    pause_ = limits_.first_pause;
  } else {
    return;
  }
  paused_until_ = now + pause_;
}

std::optional<Error> CrashGuard::refusal(TimePoint now, const std::string& model) const {
  if (now >= paused_until_) return std::nullopt;
  const auto left = std::chrono::ceil<std::chrono::seconds>(paused_until_ - now);
  Error error = reason_;
  error.message = fmt::format(
      "model {} is not started for the next {} s, because it failed again "
      "and again: {}",
      model, left.count(), reason_.message);
  return error;
}

}  // namespace server
