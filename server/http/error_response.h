#pragma once

#include <string_view>

#include "server/base/error.h"
#include "server/http/exchange.h"

namespace server {

// An error in the shape that OpenAI's clients read, with the status that the table of codes gives.
// `parameter`: which one of the request it is about; empty: none.
Response error_response(const Error& error, std::string_view parameter = {});

}  // namespace server
