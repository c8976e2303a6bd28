#pragma once

#include <cstdint>
#include <span>

namespace server {

// Fair turns among those who share a few places.

// An owner whose work waits.
struct WaitingOwner {
  std::int64_t first = 0;  // the number of the piece of work that waits longest
  int running = 0;         // pieces of this owner that run now
  // The turn in which the last of them was begun, counted from 1; 0: never. No time, as clocks can
  // be set back.
  std::int64_t last_begun = 0;
};

// Whose work is begun next: the owner with the fewest pieces that run, among equals the one whose
// last was begun longest ago. An owner who has `most_running` of them begins none. nullptr: nobody.
const WaitingOwner* owners_turn(std::span<const WaitingOwner> owners, int most_running);

// How many of the places one owner may hold. Where there are others, one place is kept for them, so
// that a few long recordings of one do not make all the others wait.
int most_running_of_one(int places, bool has_others);

}  // namespace server
