#include "protocol/base64.h"

#include <algorithm>
#include <array>

namespace protocol {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::uint8_t no_digit = 64;

// The value of each character; no_digit where it is none.
constexpr auto digits = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(no_digit);
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

std::uint32_t digit(char c) {
  return digits[static_cast<unsigned char>(c)];
}

}  // namespace

// A message of a client may hold 20 MB, so groups of four digits are decoded as such.
std::size_t Base64Decoder::feed_groups(std::string_view text, std::string& bytes) {
  if (held_ != 0 || padding_ != 0) return 0;
  const std::size_t before = bytes.size();
  bytes.resize(before + text.size() / 4 * 3);
  std::size_t at = 0, to = before;
  for (; at + 4 <= text.size(); at += 4, to += 3) {
    const std::uint32_t a = digit(text[at]), b = digit(text[at + 1]);
    const std::uint32_t c = digit(text[at + 2]), d = digit(text[at + 3]);
    if (((a | b | c | d) & no_digit) != 0) break;
    const std::uint32_t bits = a << 18 | b << 12 | c << 6 | d;
    bytes[to] = static_cast<char>(bits >> 16);
    bytes[to + 1] = static_cast<char>(bits >> 8);
    bytes[to + 2] = static_cast<char>(bits);
  }
  bytes.resize(to);
  return at;
}

bool Base64Decoder::feed(std::string_view text, std::string& bytes) {
  length_ += text.size();
  text.remove_prefix(feed_groups(text, bytes));
  for (const char c : text) {
    if (c == '=' && ++padding_ <= 2) continue;
    const std::uint32_t value = digit(c);
    if (value == no_digit || padding_ > 0) return false;
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
