#include "server/base/owners_turn.h"

#include <algorithm>
#include <tuple>

namespace server {

const WaitingOwner* owners_turn(std::span<const WaitingOwner> owners, int most_running) {
  const auto rank = [](const WaitingOwner& owner) {
    return std::tuple(owner.running, owner.last_begun, owner.first);
  };
  const auto next = std::ranges::min_element(owners, {}, rank);
  return next == owners.end() || next->running >= most_running ? nullptr : &*next;
}

int most_running_of_one(int places, bool has_others) {
  return has_others ? std::max(1, places - 1) : places;
}

}  // namespace server
