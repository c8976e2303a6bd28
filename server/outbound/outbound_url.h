#pragma once

#include <string>
#include <vector>

#include "server/base/error.h"

namespace server {

// The addresses that requests may go to; these rules apply before any name is resolved.
struct OutboundRules {
  std::vector<std::string> hosts{};  // "example.org", "*.example.org", or "*" for every public host
  std::vector<std::string> own_hosts{};  // hosts that may have private addresses and use http
  // Treats every host as one of ours; for tests only.
  bool allow_private = false;
};

// An address that somebody else named, as libcurl understands it.
struct OutboundUrl {
  std::string text{};   // normalised
  std::string host{};   // lower case, numeric spellings as usual: 127.0.0.1
  std::string name{};   // the last part of its path, decoded; for people
  bool is_own = false;  // the rules allow any address for this host
};

// Reads an address and checks it against the rules. A host that is an address itself is judged
// here; the addresses that a name resolves to are judged when it is connected to. The error is
// url_refused.
Result<OutboundUrl> read_url(const std::string& text, const OutboundRules& rules);

}  // namespace server
