#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/hosts/mcp_host.h"

// Settings of hosts in each of their formats, for host_settings. Where a text cannot be edited
// without a risk for the rest of it, there is no result.
namespace server {

std::string json_lines(const McpHost& host, const McpCommand& command);
std::optional<std::string> json_with_scribed(std::string_view text, const McpHost& host,
                                             const McpCommand& command);

std::string toml_lines(const McpHost& host, const McpCommand& command);
std::optional<std::string> toml_with_scribed(std::string_view text, const McpHost& host,
                                             const McpCommand& command);

}  // namespace server
