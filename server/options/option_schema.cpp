#include "server/options/option_schema.h"

#include <cmath>
#include <concepts>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace server {
namespace {

using Json = nlohmann::ordered_json;
using protocol::Option;
using protocol::OptionField;

Json type_of(OptionField<bool>) {
  return {{"type", "boolean"}};
}
Json type_of(OptionField<double>) {
  return {{"type", "number"}};
}
Json type_of(OptionField<std::string>) {
  return {{"type", "string"}};
}
template <std::integral T>
Json type_of(OptionField<T>) {
  return {{"type", "integer"}};
}
template <class T>
Json type_of(OptionField<std::vector<T>>) {
  return {{"type", "array"}, {"items", type_of(OptionField<T>())}};
}
// Each interface has a form of its own for these.
Json type_of(OptionField<std::vector<protocol::KnownSpeaker>>) {
  return {{"type", "array"}};
}
template <protocol::json::Named T>
Json type_of(OptionField<T>) {
  return {{"type", "string"}, {"enum", protocol::json::names<T>}};
}
template <class T>
Json type_of(OptionField<std::optional<T>>) {
  return type_of(OptionField<T>());
}

// JSON writes numbers that are whole without a point.
Json limit(double value) {
  return value == std::trunc(value) ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

}  // namespace

Json option_schema(const Option& option) {
  Json value = std::visit([](auto member) { return type_of(member); }, option.member);
  if (!value.contains("items")) {
    if (std::isfinite(option.min)) value["minimum"] = limit(option.min);
    if (std::isfinite(option.max)) value["maximum"] = limit(option.max);
  }
  Json schema = option.may_be_unset()
                    ? Json{{"anyOf", Json::array({value, Json{{"const", "none"}}})}}
                    : value;
  const Json otherwise = protocol::option_value(option, {});
  if (!otherwise.is_null() && otherwise != "" && otherwise != Json::array()) {
    schema["default"] = otherwise;
  }
  schema["description"] = option.help;
  return schema;
}

}  // namespace server
