#include "protocol/valid_utf8.h"

#include "protocol/json_parse.h"
#include "protocol/json_text.h"

namespace protocol {

// json::dump() does the replacing.
std::string valid_utf8(std::string_view text) {
  const auto valid = json::parse_text(json::dump(nlohmann::json(text)));
  return valid ? valid->get<std::string>() : std::string();
}

}  // namespace protocol
