#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

// These functions read fields of a server's answer, which may be of another version: whatever is
// missing or of another type is empty.
namespace server {

std::string field_text(const nlohmann::json& object, const char* name);
std::optional<double> field_number(const nlohmann::json& object, const char* name);
bool field_flag(const nlohmann::json& object, const char* name);
// Returns an empty array, or an empty object, where there is none of that name.
const nlohmann::json& field_array(const nlohmann::json& object, const char* name);
const nlohmann::json& field_object(const nlohmann::json& object, const char* name);

}  // namespace server
