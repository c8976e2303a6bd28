#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace server {

// Returns the schemas of the answers, by the names that openapi_answers.cpp gives them.
nlohmann::ordered_json answer_schemas();

// Returns a reference to one of them.
nlohmann::ordered_json schema_reference(std::string_view name);

}  // namespace server
