#pragma once

#include <nlohmann/json.hpp>

#include "protocol/option_table.h"

namespace server {

// Describes the option in JSON Schema: type, limits, choices, description, and its default where
// that is not empty. An option that may be unset accepts the text "none".
nlohmann::ordered_json option_schema(const protocol::Option& option);

}  // namespace server
