#pragma once

#include <string>
#include <utility>
#include <vector>

#include "protocol/mcp/http_rules.h"

// Modern clients repeat parts of a request in headers, for proxies that do not read bodies.
namespace protocol::mcp {

jsonrpc::Error header_mismatch(const std::string& header);

// Checks that Mcp-Method, Mcp-Name and the Mcp-Param-… of the called tool agree with the body.
// Error: -32020 with the header's name.
jsonrpc::Checked<void> check_mirrors(const Features& features, const HeaderLookup& header,
                                     const Json& request);

// Returns the headers, with their values, that check_mirrors() wants for the request of a modern
// client; a tool's Mcp-Param-… are not among them.
std::vector<std::pair<std::string, std::string>> mirrors_of(const Json& request);

}  // namespace protocol::mcp
