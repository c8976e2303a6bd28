#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>

#include "server/base/race.h"
#include "server/live/adapter_driver.h"

namespace server {

// The times of one live connection, which its reader and its writer note and watch_door() looks at.
struct DoorTimes {
  using Time = std::chrono::steady_clock::time_point;

  static Time now() { return std::chrono::steady_clock::now(); }

  Time begun = now();
  Time heard = begun;                   // the client's last message
  Time alive = begun;                   // that, or its last answer to a ping
  bool is_full = false;                 // the client is not read, because its sound has no room
  std::optional<Time> writing_since{};  // one frame
  std::optional<Time> closing_since{};  // from the last frame on
};

struct DoorLimits {
  std::chrono::seconds silence{60};  // without a sign of life
  std::chrono::seconds ping{20};     // silence after which a ping is sent; 0: there are none
  std::chrono::seconds write{30};    // for one frame
  std::chrono::seconds close{10};    // for the client's answer to the end
  std::chrono::seconds session = std::chrono::hours(4);
  std::chrono::seconds finish{30};  // for the text of what was said when that time is over
  std::chrono::milliseconds tick{1'000};
};

// Ticks while a connection lasts: asks for signs of life, and lets the adapter and the session know
// of the time. It ends when the connection is to be dropped. A client that is not read cannot tell
// that it has gone: while it streams a file format, of which a frame may be days of audio, the
// socket `client` is asked. `times` must outlive the call.
asio::awaitable<Elapsed> watch_door(std::shared_ptr<AdapterDriver> driver, const DoorTimes& times,
                                    DoorLimits limits, int client);

}  // namespace server
