#include "server/api/route.h"

#include <algorithm>
#include <optional>

namespace server {
namespace {

// What stands for {id}; empty where the pattern has none. Nothing where the path does not fit.
std::optional<std::string> match(std::string_view pattern, std::string_view path) {
  const auto open = pattern.find("{id}");
  if (open == pattern.npos) {
    if (pattern != path) return std::nullopt;
    return "";
  }
  const auto head = pattern.substr(0, open), tail = pattern.substr(open + 4);
  const bool fits =
      path.size() > head.size() + tail.size() && path.starts_with(head) && path.ends_with(tail);
  if (!fits) return std::nullopt;
  const auto id = path.substr(head.size(), path.size() - head.size() - tail.size());
  if (id.find('/') != id.npos) return std::nullopt;
  return std::string(id);
}

}  // namespace

RouteMatch find_route(std::span<const Route> table, http::verb method, std::string_view path) {
  if (method == http::verb::head) method = http::verb::get;
  RouteMatch found;
  for (const auto& route : table) {
    auto id = match(route.path, path);
    if (!id) continue;
    found.pattern = route.path;
    found.allowed.emplace_back(boost::beast::http::to_string(route.method));
    if (route.method != method) continue;
    found.route = &route;
    found.id = *std::move(id);
    return found;
  }
  return found;
}

}  // namespace server
