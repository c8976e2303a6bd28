#include "protocol/message_codec.h"

namespace protocol::json {

Result<std::string> read_type(const nlohmann::json& object) {
  std::string type;
  Reader reader;
  reader.read_field(object, "", "type", type);
  if (reader.failed()) return bad<std::string>("message: " + reader.problem());
  return type;
}

}  // namespace protocol::json
