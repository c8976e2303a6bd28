#include "server/mcp/tools/schema.h"

#include <utility>

namespace server::schema {

Json text(std::string description) {
  return {{"type", "string"}, {"description", std::move(description)}};
}

Json one_of(const char* description, Json values) {
  Json schema = text(description);
  schema["enum"] = std::move(values);
  return schema;
}

Json number(const char* description, double minimum, double maximum) {
  return {
      {"type", "number"}, {"description", description}, {"minimum", minimum}, {"maximum", maximum}};
}

Json integer(const char* description, int minimum, int maximum) {
  return {{"type", "integer"},
          {"description", description},
          {"minimum", minimum},
          {"maximum", maximum}};
}

Json flag(const char* description) {
  return {{"type", "boolean"}, {"description", description}};
}

Json list(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

Json object(Json properties, Json required) {
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

}  // namespace server::schema
