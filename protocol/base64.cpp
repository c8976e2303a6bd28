#include "protocol/base64.h"

#include <algorithm>

namespace protocol {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Returns the value of a digit; 64 where the character is none.
std::uint32_t digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : 64;
}

}  // namespace

bool Base64Decoder::feed(std::string_view text, std::string& bytes) {
  length_ += text.size();
  for (const char c : text) {
    if (c == '=' && ++padding_ <= 2) continue;
    const std::uint32_t value = digit(c);
    if (value == 64 || padding_ > 0) return false;
    bits_ = bits_ << 6 | value;
    held_ += 6;
    if (held_ < 8) continue;
    held_ -= 8;
    bytes.push_back(static_cast<char>(bits_ >> held_));
    bits_ &= (1U << held_) - 1;
  }
  return true;
}

std::optional<std::string> decode_base64(std::string_view text) {
  Base64Decoder decoder;
  std::string bytes;
  bytes.reserve(decoded_base64_size(text.size()));
  if (!decoder.feed(text, bytes) || !decoder.is_whole()) return std::nullopt;
  return bytes;
}

std::string encode_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text.push_back(i <= count ? alphabet[bits >> (18 - 6 * i) & 63] : '=');
    }
  }
  return text;
}

}  // namespace protocol
