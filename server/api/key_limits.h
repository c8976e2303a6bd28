#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>

#include "server/api/api.h"
#include "server/api/route.h"

namespace server {

// Counts a request against the limits of its key, and adds headers to its answer that say what is
// left (x-ratelimit-…). Returns the refusal of one that is too many.
asio::awaitable<std::optional<Response>> apply_key_limits(Api& api, Exchange& exchange,
                                                          const Principal& principal,
                                                          Access access);

}  // namespace server
