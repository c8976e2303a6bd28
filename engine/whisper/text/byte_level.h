#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace engine {

// Returns the bytes of a token that a file spells in GPT-2's printable alphabet, where every byte
// is one character ("Ġthe" is " the"). Returns nothing if a character is outside that alphabet.
std::optional<std::string> bytes_from_byte_level(std::string_view utf8);

// Returns the bytes of base64 text with padding, or nothing if it is not that.
std::optional<std::string> bytes_from_base64(std::string_view text);

}  // namespace engine
