#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace server {

// Counts the wrong keys that an address has tried to sign in with: five may come at once, and then
// one whenever its share of the minute has passed. It is used on one thread.
class WrongKeys {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr double per_minute = 5;
  static constexpr std::size_t most_addresses = 4096;  // beyond it, the one that tried first goes

  // Returns how long that address has to wait before it may try again; nothing: it may now. Right
  // keys are not looked at either while it waits, since it would learn that they are right.
  std::optional<std::chrono::seconds> wait(const std::string& peer, Clock::time_point now) const;

  // Counts one wrong key of that address, as Exchange::peer() names it.
  void count(const std::string& peer, Clock::time_point now);

 private:
  struct Tries {
    double used = 0;  // tries that still count
    Clock::time_point seen{};
  };

  static double used_now(const Tries& tries, Clock::time_point now);
  void forget(Clock::time_point now);

  std::map<std::string, Tries> tries_{};  // by network
};

}  // namespace server
