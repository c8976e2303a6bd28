#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace protocol {

// Writes JSON as Python's json.dumps does: ", " and ": " between things, ASCII alone (the rest as
// \uXXXX), and numbers as repr() shows them. A number that is not finite is null, because JSON
// knows no NaN.
std::string python_json(const nlohmann::ordered_json& json);

}  // namespace protocol
