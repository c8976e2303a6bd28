#pragma once

#include <cstdint>
#include <span>

namespace server {

// This file gives fair turns to owners who share a few places.

// An owner who has work that waits.
struct WaitingOwner {
  std::int64_t first = 0;  // the number of the piece of work that waits longest
  int running = 0;         // how many pieces of this owner run now
  // The turn in which this owner's last piece was begun, counted from 1; 0: never. It is no time
  // because clocks can be set back.
  std::int64_t last_begun = 0;
};

// Returns the owner whose work is begun next: the one with the fewest running pieces, and among
// equals the one whose last piece was begun longest ago. An owner with `most_running` running
// pieces is passed over. nullptr: no owner may begin one.
const WaitingOwner* owners_turn(std::span<const WaitingOwner> owners, int most_running);

// Returns how many of the places one owner may hold. Where there are others, one place is kept for
// them, so that a few long recordings of one do not make all the others wait.
int most_running_of_one(int places, bool has_others);

}  // namespace server
