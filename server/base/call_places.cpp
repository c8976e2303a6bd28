#include "server/base/call_places.h"

#include <boost/asio/error.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>
#include <utility>
#include <vector>

#include "server/base/owners_turn.h"

namespace server {

CallPlaces::Place::Place(std::shared_ptr<CallPlaces> places, std::string owner,
                         asio::any_io_executor executor)
    : places_(std::move(places)),
      owner_(std::move(owner)),
      granted_(std::move(executor), asio::steady_timer::time_point::max()),
      number_(++places_->last_number_) {
  places_->owners_[owner_].waiting.push_back(this);
  places_->grant();
}

CallPlaces::Place::~Place() {
  const auto it = places_->owners_.find(owner_);
  Owner& owner = it->second;
  if (is_granted_) {
    --owner.running;
    ++places_->free_;
  } else {
    std::erase(owner.waiting, this);
  }
  if (owner.running == 0 && owner.waiting.empty()) places_->owners_.erase(it);
  places_->grant();
}

asio::awaitable<void> CallPlaces::Place::turn() {
  boost::system::error_code woken;
  auto wait = asio::redirect_error(asio::use_awaitable, woken);
  if (!is_granted_) co_await granted_.async_wait(std::move(wait));
  if (!is_granted_) throw boost::system::system_error(asio::error::operation_aborted);
}

int CallPlaces::calls_of(const std::string& owner) const {
  const auto it = owners_.find(owner);
  if (it == owners_.end()) return 0;
  return it->second.running + static_cast<int>(it->second.waiting.size());
}

void CallPlaces::grant() {
  while (free_ > 0) {
    std::vector<WaitingOwner> waiting;
    std::vector<Owner*> owners;
    for (auto& [name, owner] : owners_) {
      if (owner.waiting.empty()) continue;
      waiting.push_back({owner.waiting.front()->number_, owner.running, owner.last_begun});
      owners.push_back(&owner);
    }
    const auto* turn = owners_turn(waiting, most_of_one_);
    if (!turn) return;
    Owner& owner = *owners[static_cast<std::size_t>(turn - waiting.data())];
    Place& place = *owner.waiting.front();
    owner.waiting.pop_front();
    ++owner.running;
    owner.last_begun = ++last_number_;
    --free_;
    place.is_granted_ = true;
    place.granted_.cancel();
  }
}

asio::awaitable<Result<std::shared_ptr<CallPlaces::Place>>> place_for(
    std::shared_ptr<CallPlaces> places, std::string owner, int most) {
  if (places->calls_of(owner) >= most) {
    co_return Error{errc::too_many_requests, "Too many of your requests of this kind are queued.",
                    "Send fewer at once."};
  }
  const auto executor = co_await asio::this_coro::executor;
  const auto place =
      std::make_shared<CallPlaces::Place>(std::move(places), std::move(owner), executor);
  auto waiting = place->turn();
  co_await std::move(waiting);
  co_return place;
}

}  // namespace server
