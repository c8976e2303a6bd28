#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/verb.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/doors.h"
#include "server/http/api_keys.h"
#include "server/http/exchange.h"

namespace server {

struct Api;
struct ClientSecret;

// A request that may be answered: its route is known, and the caller has the right to it.
struct ApiCall {
  Exchange& exchange;
  Principal principal{};
  std::string id{};  // the part of the path that matches the first placeholder
  // The one that matches the second, or the deployment of an address of Azure; empty: neither.
  std::string part{};
  // What stands for the caller's key in a live session; nullptr: it is a key.
  std::shared_ptr<const ClientSecret> secret{};
  std::string link{};  // the token of the link that it came by; empty: none
};

// Returns whose turn it is when this call reads a text: the caller's, or that of all who have a
// link to a job of the caller's. No owner has a name with a space.
std::string reader_of(const ApiCall& call);

using ApiHandler = asio::awaitable<void> (*)(Api& api, ApiCall& call);

// The right that a route needs.
enum class Access { open, read_status, transcribe, manage, back_up };

struct Route {
  http::verb method;
  // The pattern: {id} in "/v1/jobs/{id}" matches one part of the path. {path} and {model} match one
  // or more parts, because names of models may contain slashes; such a pattern has no other
  // placeholder. There are two at most.
  std::string_view path;
  Access access;
  ApiHandler handler;
  std::string_view operation;   // its operationId, for programs that /openapi.json is read by
  std::string_view summary;     // for people who read /openapi.json
  bool Doors::*door = nullptr;  // the interface that it belongs to, where that can be switched off
};

// Returns every route of the daemon.
std::span<const Route> routes();

struct RouteMatch {
  const Route* route = nullptr;  // nullptr: no route matches
  std::string id{};              // from the path, as ApiCall has them
  std::string part{};
  std::string_view pattern{};  // the pattern that the path matches, for any method; empty: none
  std::vector<std::string> allowed{};  // the methods of that path
};

// Returns the names in the braces of a route's path, in order.
std::vector<std::string_view> placeholders_of(std::string_view pattern);

// Finds the first row that matches. Of patterns with {path} or {model}, the one with the longest
// text after the placeholder wins. HEAD is answered as GET.
RouteMatch find_route(std::span<const Route> table, http::verb method, std::string_view path);

}  // namespace server
