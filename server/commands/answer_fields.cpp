#include "server/commands/answer_fields.h"

namespace server {

using nlohmann::json;

namespace {

const json& member(const json& object, const char* name) {
  static const json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

}  // namespace

std::string field_text(const json& object, const char* name) {
  const json& value = member(object, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<double> field_number(const json& object, const char* name) {
  const json& value = member(object, name);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

bool field_flag(const json& object, const char* name) {
  const json& value = member(object, name);
  return value.is_boolean() && value.get<bool>();
}

const json& field_array(const json& object, const char* name) {
  static const json none = json::array();
  const json& value = member(object, name);
  return value.is_array() ? value : none;
}

const json& field_object(const json& object, const char* name) {
  static const json none = json::object();
  const json& value = member(object, name);
  return value.is_object() ? value : none;
}

}  // namespace server
