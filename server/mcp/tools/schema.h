#pragma once

#include <nlohmann/json.hpp>
#include <string>

// These functions write the parts of JSON Schema that the tools need.
namespace server::schema {

using Json = nlohmann::json;

Json text(std::string description);
Json one_of(const char* description, Json values);
Json number(const char* description, double minimum, double maximum);
Json integer(const char* description, int minimum, int maximum);
Json flag(const char* description);
Json list(Json items);
// Returns an object with these properties and no others.
Json object(Json properties, Json required = Json::array());

}  // namespace server::schema
