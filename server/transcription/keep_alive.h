#pragma once

#include <chrono>
#include <string_view>

#include "server/base/error.h"

namespace server {

// The time that a model stays loaded after its last use. Negative: for ever; zero: not at all.
using KeepAlive = std::chrono::milliseconds;

inline constexpr KeepAlive keep_for_ever{-1};

// Reads a duration ("5m", "1h30m", "1.5h", "500ms") or a number of seconds ("300"). A negative one
// means for ever, and so does more than ten years. Error: bad_request.
Result<KeepAlive> parse_keep_alive(std::string_view text);

}  // namespace server
