#pragma once

#include <string_view>

#include "server/http/multipart.h"

namespace server {

// A form that cannot be read, and how it should be.
Error bad_form(const char* message);

// The header of a part: lines that end with CR LF, without the empty one. Errors: bad_request.
Result<PartHead> parse_part_head(std::string_view lines);

}  // namespace server
