#pragma once

#include <string>
#include <string_view>

#include "server/http/exchange.h"

namespace server {

// Server-sent events. Returns the head of such an answer for Exchange::start_stream(); the
// functions below make its parts.
Response sse_head();
// Returns one event with that data, usually JSON. A text of several lines arrives as such.
std::string sse_data(std::string_view text);
// Returns the same with a name, for clients that tell events apart by it. A browser's EventSource
// gives events that have names to their listeners alone, never to `onmessage`.
std::string sse_event(std::string_view name, std::string_view text);
// Returns a comment. Clients skip it; it keeps proxies from closing an idle connection.
std::string sse_comment(std::string_view text = "");

}  // namespace server
