#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace engine {

// Bytes of a token that a file spells in GPT-2's printable alphabet, where every byte is one
// character ("Ġthe" is " the"). Nothing if a character is outside that alphabet.
std::optional<std::string> bytes_from_byte_level(std::string_view utf8);

// Bytes of base64 text with padding. Nothing if it is not that.
std::optional<std::string> bytes_from_base64(std::string_view text);

}  // namespace engine
