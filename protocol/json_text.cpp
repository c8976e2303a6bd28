#include "protocol/json_text.h"

namespace protocol::json {
namespace {

template <class Json>
std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string dump(const nlohmann::json& json, int indent) {
  return text_of(json, indent);
}

std::string dump(const nlohmann::ordered_json& json, int indent) {
  return text_of(json, indent);
}

}  // namespace protocol::json
