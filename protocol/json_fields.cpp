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

}  // namespace protocol::json
