#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace protocol::json {

// Writes any JSON as text, on one line or with `indent` spaces for each level. It never fails:
// bytes that are no UTF-8 become U+FFFD.
std::string dump(const nlohmann::json& json, int indent = -1);
std::string dump(const nlohmann::ordered_json& json, int indent = -1);

}  // namespace protocol::json
