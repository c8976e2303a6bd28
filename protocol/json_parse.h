#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "protocol/error.h"

namespace protocol::json {

// How much JSON from outside may hold. A value costs far more memory than its bytes, and whoever
// walks a value by recursion needs stack for its depth.
struct Limits {
  int depth = 64;
  std::size_t values = 100'000;  // all of them, at any depth
};

// The text as JSON, or why it is none or too much of it (bad_message). All JSON that others wrote
// is read by this: it takes time in proportion to the bytes. nlohmann's parser with a callback
// takes the square of the number of objects.
Result<nlohmann::json> parse_text(std::string_view text, const Limits& limits = {});

// As parse_text, of an object.
Result<nlohmann::json> parse_object(std::string_view text, const Limits& limits = {});

}  // namespace protocol::json
