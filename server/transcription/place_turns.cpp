#include "server/transcription/place_turns.h"

#include <algorithm>

namespace server {
namespace {

constexpr int longer_turn = 6;  // of calls that somebody waits for, and of background among itself
constexpr int turn_of_loading = 5;

bool is_over(const HeldPlace& place, bool client_waits, std::chrono::milliseconds turn) {
  const bool is_urgent = client_waits && !place.is_waited_for;
  const std::chrono::duration<double> least = is_urgent ? turn : longer_turn * turn;
  return place.gives_way && place.held >= std::max(least, turn_of_loading * place.loading);
}

}  // namespace

std::optional<std::size_t> place_to_give_up(std::span<const HeldPlace> places, bool client_waits,
                                            std::chrono::milliseconds turn) {
  std::optional<std::size_t> longest;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!is_over(places[i], client_waits, turn)) continue;
    if (!longest || places[i].held > places[*longest].held) longest = i;
  }
  return longest;
}

}  // namespace server
