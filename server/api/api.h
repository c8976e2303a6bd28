#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "server/api/open_requests.h"
#include "server/base/race.h"
#include "server/http/exchange.h"
#include "server/submission/not_ready.h"
#include "server/submission/services.h"

namespace server {

class ApiKeys;
class Metrics;
class OriginGuard;
class Submission;

struct ApiSettings {
  std::uint64_t max_body_bytes = 512ULL << 20;  // of sound that a client waits for
  std::uint64_t max_upload_bytes = 2ULL << 30;  // of a job or an upload
  // Of one owner at once. Each has a connection, so that nobody can take all of them.
  std::size_t max_requests_of_one = 1024;
};

// What the routes work with. Made by the composition root, for as long as the daemon runs.
struct Api {
  Services& services;
  Submission& submission;
  const ApiKeys& keys;
  const OriginGuard& guard;
  Metrics& metrics;
  ApiSettings settings{};
  // POST /mcp; the endpoint also answers what its specification says of other methods.
  std::function<asio::awaitable<void>(Exchange& exchange, std::string principal)> mcp{};
  // Nothing where the daemon can work.
  std::function<std::optional<NotReady>()> not_ready{};
  OpenRequest::Counts open_requests{};
};

// Finds the route, checks who asks, and answers.
asio::awaitable<void> dispatch(Api& api, Exchange& exchange);

// An error of the parameter of that name; empty: of none.
asio::awaitable<void> send_error(Exchange& exchange, const Error& error,
                                 std::string_view parameter = {});
// There is nothing at the path of this request.
asio::awaitable<void> send_not_found(Exchange& exchange);
asio::awaitable<void> send_json(Exchange& exchange, std::string body,
                                http::status status = http::status::ok);

// How long a stream may be silent: proxies cut off what is so for a minute.
inline constexpr std::chrono::seconds keep_alive_interval{15};

// For race(): ends when the client does not wait any more.
asio::awaitable<Elapsed> client_left(Exchange& exchange);

}  // namespace server
