#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "server/base/call_places.h"

namespace server {

struct Api;
struct ApiCall;

// The turns of requests for sound. Those of one key, or of one link, are answered a few at a time,
// so that many that begin together keep nobody else waiting. A player that does not read for a
// while has no place meanwhile.
struct SoundPlaces {
  // Requests that look up their job and open its file.
  std::shared_ptr<CallPlaces> begins = std::make_shared<CallPlaces>(32, 4);
  // Pieces of files that are being read.
  std::shared_ptr<CallPlaces> pieces = std::make_shared<CallPlaces>(64, 8);
  int most_begins_of_one = 64;  // that run or wait; further ones are refused
  std::chrono::milliseconds patience{5'000};
};

namespace api {

using HeldPlace = std::shared_ptr<CallPlaces::Place>;

// Returns who takes turns: a key, or a link.
std::string taker_of(const ApiCall& call);

// Waits for the place of a request that begins. Nothing: its client has left. The error is
// too_many_requests.
asio::awaitable<std::optional<Result<HeldPlace>>> place_to_begin(Api& api, ApiCall& call);

// Waits for the place of a piece.
asio::awaitable<HeldPlace> place_of_piece(Api& api, const ApiCall& call);

}  // namespace api
}  // namespace server
