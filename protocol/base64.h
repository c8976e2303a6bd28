#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace protocol {

// Decodes RFC 4648, section 4, strictly: padded, without line breaks, unused bits zero. Empty if
// the text is not of that form.
std::optional<std::string> decode_base64(std::string_view text);

std::string encode_base64(std::string_view bytes);

// Returns how many bytes a text of this length has at most when it is decoded.
constexpr std::size_t decoded_base64_size(std::size_t length) {
  return length / 4 * 3;
}

}  // namespace protocol
