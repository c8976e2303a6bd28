#pragma once

#include <string>
#include <string_view>

#include "server/base/error.h"
#include "server/hosts/mcp_host.h"

namespace server {

// Returns the lines that a user would write into the settings of a host by hand.
std::string lines_to_paste(const McpHost& host, const McpCommand& command);

// Returns the text of a host's settings with scribed among its servers; the same text where it is
// there already. Every other byte stays as it is, and what is read from the result is what was read
// before, with scribed. A text that this cannot be promised of, such as JSON with comments, is
// refused: lines_to_paste() helps its user. An empty text stands for a file that does not exist.
// Errors: bad_config.
Result<std::string> with_scribed(std::string_view text, const McpHost& host,
                                 const McpCommand& command);

// Returns a change for people: changed lines with - and + before them, and a few around them.
std::string shown_change(std::string_view before, std::string_view after);

}  // namespace server
