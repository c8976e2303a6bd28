#pragma once

#include <optional>
#include <string>

#include "server/http/exchange.h"

namespace server {

// Returns the address by which the client of a request knows this server, "http://localhost:8080",
// from the field Host and from what a trusted proxy tells. Empty where Host is missing or holds
// what no host has.
std::optional<std::string> base_url(const Exchange& exchange);

}  // namespace server
