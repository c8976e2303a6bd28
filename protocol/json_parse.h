#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "protocol/error.h"

namespace protocol::json {

// Limits of JSON from outside. A value costs far more memory than its bytes, and code that walks a
// value by recursion needs stack for its depth.
struct Limits {
  int depth = 64;
  std::size_t values = 100'000;  // all of them, at any depth
};

// Parses the text as JSON; the error (bad_message) says why it is none or too large. All JSON from
// outside is read by this: it takes time in proportion to the bytes. nlohmann's parser with a
// callback takes the square of the number of objects.
Result<nlohmann::json> parse_text(std::string_view text, const Limits& limits = {});

// Parses an object as parse_text does.
Result<nlohmann::json> parse_object(std::string_view text, const Limits& limits = {});

}  // namespace protocol::json
