#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "server/api/openapi_schemas.h"

// The words in which schemas of OpenAPI are written.
namespace server::schema {

using Json = nlohmann::ordered_json;

inline Json any(const char* type) {
  return {{"type", type}};
}
inline Json nullable(const char* type) {
  return {{"type", {type, "null"}}};
}
inline Json list_of(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}
inline Json constant(const char* value) {
  return {{"type", "string"}, {"const", value}};
}
inline Json reference_or_null(const char* name) {
  return {{"anyOf", Json::array({schema_reference(name), any("null")})}};
}

// Makes an object of the properties that are always there, and of those that may be.
inline Json object_of(Json always, Json sometimes = Json::object()) {
  Json required = Json::array();
  for (const auto& [name, schema] : always.items()) required.push_back(name);
  always.update(sometimes);
  return {{"type", "object"}, {"properties", std::move(always)}, {"required", required}};
}

// Makes a page of a list of what that schema describes.
inline Json page_of(const char* name) {
  return object_of({{"object", constant("list")},
                    {"data", list_of(schema_reference(name))},
                    {"has_more", any("boolean")}});
}

}  // namespace server::schema
