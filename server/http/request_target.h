#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/error.h"

namespace server {

// The address of a request, taken apart and decoded.
struct RequestTarget {
  // "host:port" of a target in absolute form; it replaces the header field Host. Empty otherwise.
  std::string authority{};
  std::string path{};
  std::vector<std::pair<std::string, std::string>> query{};

  // Returns the first value of that name.
  std::optional<std::string> find(std::string_view name) const;
};

// Parses "/path?name=value" and the absolute form "http://host/path?name=value" (RFC 9112, 3.2.2).
// Several slashes in a row count as one. Errors: bad_request for any other form, for "." and ".."
// among the path's parts, and for what cannot be decoded or is no text.
Result<RequestTarget> parse_target(std::string_view target);

}  // namespace server
