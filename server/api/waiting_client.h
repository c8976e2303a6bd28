#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>

#include "server/base/race.h"
#include "server/http/exchange.h"

// What handlers need whose client waits for a job.
namespace server::api {

// How long a stream may be silent: proxies cut off what is so for a minute.
inline constexpr std::chrono::seconds keep_alive_interval{15};

// For race(): ends when the client does not wait any more.
asio::awaitable<Elapsed> client_left(Exchange& exchange);

}  // namespace server::api
