#pragma once

#include <string>
#include <string_view>

namespace server::web {

// Returns whether a client with this Accept-Encoding takes gzip (RFC 9110, 12.5.3).
bool accepts_gzip(std::string_view accept_encoding);

// Returns what `gzip` holds. The bytes are this program's own, so damage is a broken invariant: it
// throws std::runtime_error.
std::string inflated(std::string_view gzip);

}  // namespace server::web
