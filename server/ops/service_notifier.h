#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "platform/unique_fd.h"
#include "server/base/environment.h"

namespace server {

// Tells the service manager (systemd, by the protocol of sd_notify) how scribed is. Without one,
// and where it does not listen, every call does nothing. Never blocks.
class ServiceNotifier {
 public:
  // Reads $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID.
  explicit ServiceNotifier(const Environment& environment);

  void ready();
  void stopping();
  // One line for people: "transcribes 3 recordings".
  void status(std::string_view text);
  // More time for the start or the end than the unit gives, counted from now.
  void extend_timeout(std::chrono::microseconds time);
  void watchdog();

  // How often watchdog() is to be called: half of the time after which the manager would kill us.
  // Nothing where it does not watch.
  std::optional<std::chrono::microseconds> watchdog_interval() const { return interval_; }

 private:
  void send(const std::string& message);

  platform::UniqueFd socket_{};
  std::string address_{};  // sockaddr_un, as many bytes as count
  std::optional<std::chrono::microseconds> interval_{};
};

}  // namespace server
