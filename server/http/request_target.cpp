#include "server/http/request_target.h"

#include <algorithm>
#include <boost/beast/core/string.hpp>

#include "server/http/percent.h"

namespace server {
namespace {

Error bad_target() {
  return {errc::bad_request, "The address in the request is not valid.",
          "Send a path such as /v1/models, with other characters percent-encoded."};
}

// Returns nothing also if the decoded text has control characters.
std::optional<std::string> decode(std::string_view text, bool plus_is_space) {
  std::string plain(text);
  if (plus_is_space) std::ranges::replace(plain, '+', ' ');
  auto decoded = decode_percent(plain);
  if (decoded && std::ranges::any_of(*decoded, is_control)) return std::nullopt;
  return decoded;
}

// Removes empty parts from the path; empty result where a part would lead elsewhere.
std::optional<std::string> normalise(std::string_view path) {
  std::string result;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const auto part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    if (part == "." || part == "..") return std::nullopt;
    if (!part.empty() || path.empty()) result.append("/").append(part);
  }
  return result;
}

// Removes "http://host:port" from the front of a target and returns "host:port"; empty if the
// target is a path. Returns nullopt for other schemes, without a host, and with user information
// (RFC 9110, 4.2.4).
std::optional<std::string> cut_authority(std::string_view& target) {
  if (target.starts_with('/')) return std::string();
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!boost::beast::iequals(target.substr(0, scheme.size()), scheme)) continue;
    target.remove_prefix(scheme.size());
    const auto authority = target.substr(0, target.find_first_of("/?"));
    if (authority.empty() || authority.find('@') != authority.npos) return std::nullopt;
    target.remove_prefix(authority.size());
    return std::string(authority);
  }
  return std::nullopt;
}

bool read_query(std::string_view text, RequestTarget& target) {
  while (!text.empty()) {
    const auto pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(pair.size() + 1, text.size()));
    if (pair.empty()) continue;
    const auto equals = pair.find('=');
    const auto name = decode(pair.substr(0, equals), true);
    const auto value = equals == pair.npos ? std::string{} : decode(pair.substr(equals + 1), true);
    if (!name || !value) return false;
    target.query.emplace_back(*name, *value);
  }
  return true;
}

}  // namespace

std::optional<std::string> RequestTarget::find(std::string_view name) const {
  const auto found = std::ranges::find(query, name, [](const auto& pair) { return pair.first; });
  if (found == query.end()) return std::nullopt;
  return found->second;
}

Result<RequestTarget> parse_target(std::string_view target) {
  const bool is_ascii = std::ranges::all_of(target, [](char byte) { return byte > 0x20; });
  if (!is_ascii || target.find('#') != target.npos) return bad_target();
  const auto authority = cut_authority(target);
  if (!authority) return bad_target();
  const std::string rooted = (target.starts_with('/') ? "" : "/") + std::string(target);
  target = rooted;
  const auto question = target.find('?');
  const auto decoded = decode(target.substr(0, question), false);
  if (!decoded) return bad_target();
  auto path = normalise(*decoded);
  if (!path) return bad_target();
  RequestTarget result{.authority = *authority, .path = *std::move(path)};
  if (question != target.npos && !read_query(target.substr(question + 1), result)) {
    return bad_target();
  }
  return result;
}

}  // namespace server
