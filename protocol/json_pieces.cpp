#include "protocol/json_pieces.h"

#include "protocol/json_text.h"
#include "protocol/python_json.h"

namespace protocol::json {

const TextStyle compact_style{[](const nlohmann::ordered_json& value) { return dump(value); }, ",",
                              ":"};
const TextStyle python_style{python_json, ", ", ": "};

}  // namespace protocol::json
