#pragma once

#include <string>
#include <string_view>

#include "server/http/exchange.h"

namespace server {

// Server-sent events: the head of such an answer for Exchange::start_stream(), and its parts.
Response sse_head();
// One event with that data, usually JSON. A text of several lines arrives as such.
std::string sse_data(std::string_view text);
// Clients skip it; it keeps proxies from closing a connection on which nothing happens.
std::string sse_comment(std::string_view text = "");

}  // namespace server
