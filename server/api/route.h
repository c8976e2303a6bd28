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
  std::string id{};  // what stands for {id} or {path} in the route's path
};

using ApiHandler = asio::awaitable<void> (*)(Api& api, ApiCall& call);

// Which key a route needs.
enum class Access { open, read_status, transcribe, manage };

struct Route {
  http::verb method;
  // "/v1/jobs/{id}": one part of the path; "/docs/{path}": all of its rest.
  std::string_view path;
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

// "id" or "path": what the braces of a route's path hold; empty where it has none.
std::string_view placeholder_of(std::string_view pattern);

// HEAD is answered as GET. The first row that fits is taken.
RouteMatch find_route(std::span<const Route> table, http::verb method, std::string_view path);

}  // namespace server
