#include "server/transcription/place_turns.h"

#include <algorithm>
#include <tuple>

namespace server {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr int turn_of_loading = 5;
constexpr int most_doublings = 16;  // they are limited by TurnLengths::latest as well

bool is_urgent(const HeldPlace& place, PlaceWanted wanted) {
  if (!place.is_waited_for) return wanted.by_client;
  return wanted.by_new_owner && place.owners_have_more;
}

Seconds time_until_late(const HeldPlace& place, const TurnLengths& lengths) {
  const int doublings = std::min(place.ended_early, most_doublings);
  return std::min<Seconds>(lengths.late * (1 << doublings), lengths.latest);
}

}  // namespace

std::optional<PlaceToGiveUp> place_to_give_up(std::span<const HeldPlace> places, PlaceWanted wanted,
                                              const TurnLengths& lengths) {
  std::optional<PlaceToGiveUp> best;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const HeldPlace& place = places[i];
    const int times = is_urgent(place, wanted) ? 1 : lengths.longer;
    const auto least = std::max<Seconds>(times * lengths.turn, turn_of_loading * place.loading);
    const auto late = std::max(least, times * time_until_late(place, lengths) + place.loading);
    const bool is_late = place.can_be_ended && place.held >= late;
    const bool is_over = place.gives_way && place.held >= least;
    if (!is_late && !is_over) continue;
    const PlaceToGiveUp found{.index = i, .ends_now = is_late || place.is_ready};
    const auto rank = [&](const PlaceToGiveUp& one) {
      return std::tuple(one.ends_now, places[one.index].held);
    };
    if (!best || rank(found) > rank(*best)) best = found;
  }
  return best;
}

}  // namespace server
