#pragma once

#include <nlohmann/json.hpp>

#include "protocol/option_table.h"

namespace server {

// The option in the words of JSON Schema: type, limits, choices, description, and its default where
// that is not empty. An option that may be unset takes the text "none".
nlohmann::ordered_json option_schema(const protocol::Option& option);

}  // namespace server
