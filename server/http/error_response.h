#pragma once

#include <string_view>

#include "server/base/error.h"
#include "server/http/exchange.h"

namespace server {

// Returns an error in the shape that OpenAI's clients read, with the status from the table of
// codes. `parameter` names the parameter at fault; empty: none.
Response error_response(const Error& error, std::string_view parameter = {});

}  // namespace server
