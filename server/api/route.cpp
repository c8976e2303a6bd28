#include "server/api/route.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace server {

std::string reader_of(const ApiCall& call) {
  return call.link.empty() ? call.principal.name : call.principal.name + " by link";
}

namespace {

// The values of these may contain slashes.
constexpr std::array<std::string_view, 2> wide_placeholders{"{path}", "{model}"};

// The literal text before and after a wide placeholder, which is the only one of its pattern.
struct WidePattern {
  std::string_view before{};
  std::string_view behind{};
};

// Returns nullopt if every placeholder of the pattern matches one part of a path.
std::optional<WidePattern> wide_pattern(std::string_view pattern) {
  for (const auto placeholder : wide_placeholders) {
    const auto begin = pattern.find(placeholder);
    if (begin == pattern.npos) continue;
    return WidePattern{pattern.substr(0, begin), pattern.substr(begin + placeholder.size())};
  }
  return std::nullopt;
}

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

using Values = std::vector<std::string>;

std::optional<Values> match_wide(const WidePattern& pattern, std::string_view path) {
  const bool fits = path.size() > pattern.before.size() + pattern.behind.size() &&
                    path.starts_with(pattern.before) && path.ends_with(pattern.behind);
  if (!fits) return std::nullopt;
  path.remove_prefix(pattern.before.size());
  path.remove_suffix(pattern.behind.size());
  if (path.starts_with('/') || path.ends_with('/')) return std::nullopt;
  return Values{std::string(path)};
}

// Returns the parts of the path that match placeholders, in order. Nothing: the path does not
// match.
std::optional<Values> match(std::string_view pattern, std::string_view path) {
  if (const auto wide = wide_pattern(pattern)) return match_wide(*wide, path);
  if (std::ranges::count(path, '/') != std::ranges::count(pattern, '/')) return std::nullopt;
  Values found;
  while (!pattern.empty()) {
    const auto wanted = cut_part(pattern);
    const auto given = cut_part(path);
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

// Returns the precedence of a pattern among those that match a path. The one with the longest text
// after its wide placeholder wins: "/v1/models/{model}/load" over "/v1/models/{model}".
std::size_t exactness(std::string_view pattern) {
  const auto wide = wide_pattern(pattern);
  return wide ? wide->behind.size() : pattern.npos;
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
    const bool is_better =
        found.pattern.empty() || exactness(route.path) > exactness(found.pattern);
    if (is_better) found = {.pattern = route.path};
    if (exactness(route.path) < exactness(found.pattern)) continue;
    found.allowed.emplace_back(boost::beast::http::to_string(route.method));
    if (found.route || route.method != method) continue;
    found.route = &route;
    if (!values->empty()) found.id = std::move(values->front());
    if (values->size() > 1) found.part = std::move(values->back());
  }
  return found;
}

}  // namespace server
