#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "platform/unique_fd.h"
#include "server/base/environment.h"

namespace server {

// Tells the service manager (systemd, by the protocol of sd_notify) the state of scribed. Without
// one, and if it does not listen, every call does nothing. It never blocks.
class ServiceNotifier {
 public:
  // Reads $NOTIFY_SOCKET, $WATCHDOG_USEC and $WATCHDOG_PID.
  explicit ServiceNotifier(const Environment& environment);

  void ready();
  void stopping();
  // Sends one line for people: "transcribes 3 recordings".
  void status(std::string_view text);
  // Asks for more time for the start or the end than the unit gives, counted from now.
  void extend_timeout(std::chrono::microseconds time);
  void watchdog();

  // Returns the interval at which watchdog() is to be called: half of the time after which the
  // manager would kill the daemon. Empty: the manager does not watch.
  std::optional<std::chrono::microseconds> watchdog_interval() const { return interval_; }

 private:
  void send(const std::string& message);

  platform::UniqueFd socket_{};
  std::string address_{};  // the bytes of the sockaddr_un that are in use
  std::optional<std::chrono::microseconds> interval_{};
};

}  // namespace server
