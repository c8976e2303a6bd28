#pragma once

#include <string>
#include <string_view>

namespace protocol {

// Returns the text with U+FFFD in the place of bytes that are no UTF-8.
std::string valid_utf8(std::string_view text);

}  // namespace protocol
