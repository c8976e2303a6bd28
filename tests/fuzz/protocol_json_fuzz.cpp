#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"

using nlohmann::json;

namespace {

constexpr protocol::json::Limits limits{.depth = 8, .values = 100};

struct Size {
  int depth = 0;
  std::size_t values = 1;
};

Size size_of(const json& value) {
  Size size;
  for (const auto& inner : value) {
    if (!value.is_structured()) break;
    const Size part = size_of(inner);
    size.depth = std::max(size.depth, part.depth);
    size.values += part.values;
  }
  size.depth += value.is_structured() ? 1 : 0;
  return size;
}

}  // namespace

// Accepted JSON keeps within the limits, and a text that is refused as malformed is no JSON.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto taken = protocol::json::parse_text(text, limits);
  if (taken) {
    const Size found = size_of(*taken);
    if (found.depth > limits.depth || found.values > limits.values) std::abort();
    if (protocol::json::dump(*taken).empty()) std::abort();
    return 0;
  }
  if (taken.error().message.starts_with("This is not JSON") && json::accept(text)) std::abort();
  return 0;
}
