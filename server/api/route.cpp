#include "server/api/route.h"

#include <algorithm>
#include <optional>

namespace server {
namespace {

// Returns the part of the path that matches the placeholder; empty if the pattern has none.
// Nothing: the path does not match.
std::optional<std::string> match(std::string_view pattern, std::string_view path) {
  const auto placeholder = placeholder_of(pattern);
  if (placeholder.empty()) {
    if (pattern != path) return std::nullopt;
    return "";
  }
  const auto head = pattern.substr(0, pattern.find('{')),
             tail = pattern.substr(pattern.find('}') + 1);
  const bool fits =
      path.size() > head.size() + tail.size() && path.starts_with(head) && path.ends_with(tail);
  if (!fits) return std::nullopt;
  const auto found = path.substr(head.size(), path.size() - head.size() - tail.size());
  if (placeholder == "id" && found.find('/') != found.npos) return std::nullopt;
  return std::string(found);
}

}  // namespace

std::string_view placeholder_of(std::string_view pattern) {
  const auto open = pattern.find('{'), close = pattern.find('}');
  return open == pattern.npos ? "" : pattern.substr(open + 1, close - open - 1);
}

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
