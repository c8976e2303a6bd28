#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace protocol {

// RFC 4648, section 4, strictly: padded, without line breaks, unused bits zero. Nothing for a text
// that is not so.
std::optional<std::string> decode_base64(std::string_view text);

std::string encode_base64(std::string_view bytes);

// How many bytes a text of this length has at most when it is decoded.
constexpr std::size_t decoded_base64_size(std::size_t length) {
  return length / 4 * 3;
}

}  // namespace protocol
