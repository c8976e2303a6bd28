#include "server/api/route.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace server {

std::string reader_of(const ApiCall& call) {
  return call.link.empty() ? call.principal.name : call.principal.name + " by link";
}

namespace {

constexpr std::string_view rest_of_path = "{path}";

// Cuts the text before the next "/" off, or all of it where there is none.
std::string_view cut_part(std::string_view& rest) {
  const auto end = std::min(rest.find('/'), rest.size());
  const auto part = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return part;
}

bool is_placeholder(std::string_view part) {
  return part.starts_with('{') && part.ends_with('}');
}

// Returns the parts of the path that match placeholders, in order. Nothing: the path does not
// match.
std::optional<std::vector<std::string>> match(std::string_view pattern, std::string_view path) {
  const bool is_open_ended = pattern.ends_with(rest_of_path);
  if (!is_open_ended && std::ranges::count(path, '/') != std::ranges::count(pattern, '/')) {
    return std::nullopt;
  }
  std::vector<std::string> found;
  while (!pattern.empty()) {
    const auto wanted = cut_part(pattern);
    const auto given = wanted == rest_of_path ? std::exchange(path, {}) : cut_part(path);
    if (!is_placeholder(wanted)) {
      if (wanted != given) return std::nullopt;
      continue;
    }
    if (given.empty()) return std::nullopt;
    found.emplace_back(given);
  }
  if (!path.empty()) return std::nullopt;
  return found;
}

}  // namespace

std::vector<std::string_view> placeholders_of(std::string_view pattern) {
  std::vector<std::string_view> names;
  while (!pattern.empty()) {
    const auto part = cut_part(pattern);
    if (is_placeholder(part)) names.push_back(part.substr(1, part.size() - 2));
  }
  return names;
}

RouteMatch find_route(std::span<const Route> table, http::verb method, std::string_view path) {
  if (method == http::verb::head) method = http::verb::get;
  RouteMatch found;
  for (const auto& route : table) {
    auto values = match(route.path, path);
    if (!values) continue;
    found.pattern = route.path;
    found.allowed.emplace_back(boost::beast::http::to_string(route.method));
    if (route.method != method) continue;
    found.route = &route;
    if (!values->empty()) found.id = std::move(values->front());
    if (values->size() > 1) found.part = std::move(values->back());
    return found;
  }
  return found;
}

}  // namespace server
