#include "protocol/jsonrpc_id.h"

#include <string>

namespace protocol::jsonrpc {

bool is_id(const nlohmann::json& value) {
  const auto* text = value.get_ptr<const std::string*>();
  return text ? text->size() <= max_id_bytes : value.is_number_integer();
}

}  // namespace protocol::jsonrpc
