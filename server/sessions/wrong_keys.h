#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/http/key_line.h"

namespace server {

// Counts the wrong keys that come from an address: five may come at once, and then one whenever its
// share of the minute has passed. Beyond them no key from there is compared, since a right one
// would be told by that, except for those that were right from there before: so who shares the
// address with somebody who guesses goes on. The same wrong key counts once, so a program with an
// old key locks nobody out. It is used on one thread.
class WrongKeys {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr double per_minute = 5;
  // Where more than these come from all addresses together, an address that has sent a wrong key
  // may send the next one after `slowed_wait`. Who has sent none is not slowed.
  static constexpr double per_minute_of_all = 300;
  static constexpr std::chrono::minutes slowed_wait{10};
  static constexpr std::chrono::hours right_lasts{24};  // how long a right key is remembered
  // Beyond these the address, and the right key of an address, that was seen first is forgotten.
  static constexpr std::size_t most_addresses = 4096;
  static constexpr std::size_t most_right = 4096;

  // Returns how long that address, as Exchange::peer() names it, has to wait before a key with this
  // hash is compared; nothing: it is compared now.
  std::optional<std::chrono::seconds> wait(const std::string& peer, const KeyHash& key,
                                           Clock::time_point now) const;
  // Counts a key that was compared and is wrong.
  void note_wrong(const std::string& peer, const KeyHash& key, Clock::time_point now);
  // Remembers a key that was compared and is right.
  void note_right(const std::string& peer, const KeyHash& key, Clock::time_point now);

 private:
  struct Tries {
    double used = 0;  // wrong keys that still count
    Clock::time_point seen{};
    std::vector<KeyHash> last{};  // wrong keys that count once
  };
  using Place = std::pair<std::string, KeyHash>;  // a network and a key

  void forget_tries(Clock::time_point now);
  void forget_right(Clock::time_point now);

  Tries all_{};                           // of all addresses; without the keys
  std::map<std::string, Tries> tries_{};  // by network
  std::map<Place, Clock::time_point> right_{};
};

}  // namespace server
