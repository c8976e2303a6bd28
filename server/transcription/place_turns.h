#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>

namespace server {

// How long models keep their places in memory while others wait for one.
struct TurnLengths {
  // The turn of background calls while a client waits.
  std::chrono::milliseconds turn{10'000};
  int longer = 6;  // other turns take so many times as long
  // Calls that are not ready to give way are ended after this time all the same. It doubles each
  // time that a call was ended so, up to `latest`. `longer` holds for it, too.
  std::chrono::milliseconds late{10'000};
  std::chrono::milliseconds latest{120'000};
};

// The place in memory of a model that is loaded, while somebody waits for one.
struct HeldPlace {
  std::chrono::duration<double> held{};     // since it was made
  std::chrono::duration<double> loading{};  // what loading the model took
  bool is_ready = false;                    // all calls that have the model would end now
  bool gives_way = false;                   // they would now or soon
  bool can_be_ended = false;                // they can be ended before they are ready
  int ended_early = 0;         // how often one of them was ended so, and got no further
  bool is_waited_for = false;  // a client waits for one of them
  // The owner of each of those has calls of other models, too.
  bool owners_have_more = false;
};

// Says who waits for a place.
struct PlaceWanted {
  bool by_client = false;     // a client waits for one of their calls
  bool by_new_owner = false;  // and its owner has no place
};

// A place whose turn is over.
struct PlaceToGiveUp {
  std::size_t index = 0;
  bool ends_now = false;  // its calls are to be ended; otherwise as soon as all are ready
};

// Returns the place that is to be given up: one whose calls can be ended now, and among those the
// one with the longest turn; nothing: no turn is over. A turn takes `turn` where a client waits for
// background calls to end, or for those of an owner who has others as well while its own has no
// place. It takes `longer` times as long otherwise, and five times what loading takes at least, so
// that models which take turns are not loaded most of the time. Calls that get no further, as while
// they listen to a long recording, lose what they have done when they are ended. So each has twice
// as long the next time, and comes to its end, too.
std::optional<PlaceToGiveUp> place_to_give_up(std::span<const HeldPlace> places, PlaceWanted wanted,
                                              const TurnLengths& lengths);

}  // namespace server
