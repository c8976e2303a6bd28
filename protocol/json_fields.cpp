#include "protocol/json_fields.h"

namespace protocol::json {

void Reader::read(const nlohmann::json& json, const std::string& path, bool& value) {
  if (!json.is_boolean()) return fail(path, "must be true or false");
  value = json.get<bool>();
}

void Reader::read(const nlohmann::json& json, const std::string& path, double& value) {
  if (json.is_null()) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (json.is_number()) {
    value = json.get<double>();
  } else {
    fail(path, "must be a number");
  }
}

void Reader::read(const nlohmann::json& json, const std::string& path, std::string& value) {
  if (!json.is_string()) return fail(path, "must be a string");
  value = json.get<std::string>();
}

void Reader::fail(const std::string& path, std::string_view what) {
  if (!failed()) problem_ = "field '" + path + "' " + std::string(what);
}

namespace {

// Without the library's own tag; the rest may quote the text at any length.
std::string reason(std::string_view what) {
  if (const auto tag = what.find("] "); tag != what.npos) what.remove_prefix(tag + 2);
  return std::string(what.substr(0, 200));
}

}  // namespace

Result<nlohmann::json> parse_object(std::string_view text) {
  try {
    auto json = nlohmann::json::parse(text);
    if (json.is_object())
      return Result<nlohmann::json>(boost::system::in_place_value, std::move(json));
    return Error{bad_message, std::string("expected a JSON object, got ") + json.type_name()};
  } catch (const nlohmann::json::exception& broken) {
    return Error{bad_message, "not JSON: " + reason(broken.what())};
  }
}

}  // namespace protocol::json
