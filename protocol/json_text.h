#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace protocol::json {

// Any JSON as text, and never failing: bytes that are no UTF-8 become U+FFFD. On one line, or with
// so many spaces for each level.
std::string dump(const nlohmann::json& json, int indent = -1);
std::string dump(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace protocol::json
