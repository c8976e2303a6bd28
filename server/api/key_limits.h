#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <optional>

#include "server/api/api.h"
#include "server/api/route.h"

namespace server {

// Counts a request against the limits of its key, and adds headers to its answer that say what is
// left (x-ratelimit-…). Returns the refusal of one that is too many.
asio::awaitable<std::optional<Response>> apply_key_limits(Api& api, Exchange& exchange,
                                                          const Principal& principal,
                                                          Access access);

// Counts `more` requests that came in one, as the calls of a batch do. Returns the refusal, and
// counts none, if they are too many.
std::optional<Response> charge_requests(Api& api, const Principal& principal, std::size_t more);

}  // namespace server
