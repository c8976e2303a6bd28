#pragma once

#include <string>
#include <vector>

#include "server/base/error.h"

namespace server {

// Where requests may go, before any name is resolved.
struct OutboundRules {
  std::vector<std::string> hosts{};      // "example.org", "*.example.org", or "*": every public one
  std::vector<std::string> own_hosts{};  // may also have private addresses, and be asked by http
  // Tests only: every host is one of ours.
  bool allow_private = false;
};

// An address that somebody else named, as libcurl understands it.
struct OutboundUrl {
  std::string text{};   // normalised
  std::string host{};   // lower case, numeric spellings as usual: 127.0.0.1
  std::string name{};   // the last part of its path, decoded; for people
  bool is_own = false;  // by the rules: any address may be connected to
};

// Reads an address and checks it against the rules. What a name leads to is judged when it is
// connected to, but a host that is an address itself is judged here. The error is url_refused.
Result<OutboundUrl> read_url(const std::string& text, const OutboundRules& rules);

}  // namespace server
