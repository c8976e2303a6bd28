#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace protocol {

// JSON as Python's json.dumps writes it: ", " and ": " between things, ASCII alone (the rest as
// \uXXXX), and numbers as repr() shows them. What is not finite is null, for JSON knows no NaN.
std::string python_json(const nlohmann::ordered_json& json);

}  // namespace protocol
