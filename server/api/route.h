#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/verb.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/api_keys.h"
#include "server/http/exchange.h"

namespace server {

struct Api;

// A request that may be answered: its route is known, and who asks has the right to.
struct ApiCall {
  Exchange& exchange;
  Principal principal{};
  std::string id{};  // what stands for {id} in the route's path
};

using ApiHandler = asio::awaitable<void> (*)(Api& api, ApiCall& call);

// Which key a route needs.
enum class Access { open, read_status, transcribe, manage };

struct Route {
  http::verb method;
  std::string_view path;  // "/v1/jobs/{id}"
  Access access;
  ApiHandler handler;
  std::string_view summary;  // for people who read /openapi.json
};

// Every route of the daemon.
std::span<const Route> routes();

struct RouteMatch {
  const Route* route = nullptr;        // nullptr: there is none
  std::string id{};                    // of the path
  std::string_view pattern{};          // that the path fits, for whatever method; empty: none
  std::vector<std::string> allowed{};  // the methods of that path
};

// HEAD is answered as GET.
RouteMatch find_route(std::span<const Route> table, http::verb method, std::string_view path);

}  // namespace server
