#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "server/base/error.h"
#include "server/http/exchange.h"

namespace server {

// Returns an error in the shape that OpenAI's clients read, with the status from the table of
// codes. `parameter` names the parameter at fault; empty: none. `retry_after` is when another try
// may succeed; nothing: as far as the code tells.
Response error_response(const Error& error, std::string_view parameter = {},
                        std::optional<std::chrono::seconds> retry_after = {});

}  // namespace server
