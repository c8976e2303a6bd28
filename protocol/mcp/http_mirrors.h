#pragma once

#include "protocol/mcp/http_rules.h"

// The headers by which modern clients repeat parts of a request for proxies that do not read
// bodies.
namespace protocol::mcp {

jsonrpc::Error header_mismatch(const std::string& header);

// Mcp-Method, Mcp-Name and the Mcp-Param-… of the tool that is called must say what the body says.
// Error: -32020 with the header's name.
jsonrpc::Checked<void> check_mirrors(const Features& features, const HeaderLookup& header,
                                     const Json& request);

}  // namespace protocol::mcp
