#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

namespace server {

// The place in memory of a model that is loaded, while somebody waits for one.
struct HeldPlace {
  std::chrono::duration<double> held{};     // since it was made
  std::chrono::duration<double> loading{};  // what loading the model took
  bool gives_way = false;                   // all calls that have the model do, now or soon
  bool is_waited_for = false;               // a client waits for one of them
};

// Returns the index of the place that is to be given up: that with the longest turn of those whose
// turn is over; nothing: none is. A turn takes `turn` where a client waits for background calls to
// end, six times as long otherwise, and five times what loading takes at least, so that models
// which take turns are not loaded most of the time.
std::optional<std::size_t> place_to_give_up(std::span<const HeldPlace> places, bool client_waits,
                                            std::chrono::milliseconds turn);

}  // namespace server
