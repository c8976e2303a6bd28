#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace server {

// Returns whether a byte is a control character of ASCII.
inline bool is_control(char byte) {
  return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f;
}

// The text whose bytes are percent-encoded (RFC 3986, 2.1). Nothing if a % is not followed by
// two hexadecimal digits.
std::optional<std::string> decode_percent(std::string_view text);

// Returns a text as it may stand in an address, as one part of a path or one value of a query.
std::string encode_percent(std::string_view text);

}  // namespace server
