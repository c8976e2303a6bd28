#include "server/api/sound_places.h"

#include <boost/asio/this_coro.hpp>
#include <string>
#include <utility>

#include "server/api/api.h"
#include "server/api/route.h"
#include "server/base/race.h"

namespace server::api {
namespace {

asio::awaitable<Result<HeldPlace>> begin_soon(const SoundPlaces& places, std::string taker) {
  auto waiting = within(places.patience,
                        place_for(places.begins, std::move(taker), places.most_begins_of_one));
  auto place = co_await std::move(waiting);
  if (place) co_return *std::move(place);
  co_return Error{errc::too_many_requests, "Too many of your audio requests are queued.",
                  "Send fewer at once."};
}

}  // namespace

// No owner has a name with a space.
std::string taker_of(const ApiCall& call) {
  return call.link.empty() ? call.principal.name : "link " + call.link;
}

asio::awaitable<std::optional<Result<HeldPlace>>> place_to_begin(Api& api, ApiCall& call) {
  auto beginning = begin_soon(api.sound_places, taker_of(call));
  auto waiting = unless_client_leaves(call.exchange, std::move(beginning));
  auto place = co_await std::move(waiting);
  co_return place;
}

asio::awaitable<HeldPlace> place_of_piece(Api& api, const ApiCall& call) {
  const auto executor = co_await asio::this_coro::executor;
  auto place =
      std::make_shared<CallPlaces::Place>(api.sound_places.pieces, taker_of(call), executor);
  auto waiting = place->turn();
  co_await std::move(waiting);
  co_return place;
}

}  // namespace server::api
