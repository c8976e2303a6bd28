#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace protocol {

// Decodes RFC 4648, section 4, strictly: padded, without line breaks, unused bits zero. Empty if
// the text is not of that form.
std::optional<std::string> decode_base64(std::string_view text);

// Decodes such a text as it comes, in pieces of any size.
class Base64Decoder {
 public:
  // Appends the bytes that are complete now. Returns false if the text is not of that form.
  bool feed(std::string_view text, std::string& bytes);
  // Returns whether the text may end here.
  bool is_whole() const { return length_ % 4 == 0 && bits_ == 0; }

 private:
  // Decodes whole groups of four digits, and returns how many characters those were.
  std::size_t feed_groups(std::string_view text, std::string& bytes);

  std::size_t length_ = 0;
  int padding_ = 0;
  std::uint32_t bits_ = 0;
  int held_ = 0;  // bits that no byte has received yet
};

std::string encode_base64(std::string_view bytes);

// Returns how many bytes a text of this length has at most when it is decoded.
constexpr std::size_t decoded_base64_size(std::size_t length) {
  return length / 4 * 3;
}

}  // namespace protocol
