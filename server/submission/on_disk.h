#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>

#include "server/base/blocking_calls.h"
#include "server/base/call_places.h"
#include "server/submission/services.h"

namespace server {

// Calls of one owner of on_disk() that run or wait; further ones are refused.
inline constexpr int most_durable_of_one = 256;

// Has a file written or synced, before an answer, on a thread that may wait for the disk. Owners
// take turns. What the work uses is its own, since it may run on when the caller has gone. Errors:
// too_many_requests, and those of the work.
template <class T>
boost::asio::awaitable<Result<T>> on_disk(const Services& services, std::string owner,
                                          std::function<Result<T>(std::stop_token)> work) {
  auto waiting = place_for(services.durable_files, std::move(owner), most_durable_of_one);
  const auto turn = co_await std::move(waiting);
  if (!turn) co_return turn.error();
  auto done = co_await services.disk.run<T>(std::move(work));
  co_return done;
}

}  // namespace server
