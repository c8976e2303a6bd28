#include "engine/whisper/text/byte_level.h"

#include "engine/whisper/text/utf8.h"

namespace engine {
namespace {

// These bytes print as themselves; the others are numbered from U+0100 on in their own order.
bool prints_as_itself(unsigned c) {
  return (c >= 0x21 && c <= 0x7E) || (c >= 0xA1 && c <= 0xAC) || (c >= 0xAE && c <= 0xFF);
}

// Returns the n-th byte that does not print as itself: 00-20, 7F-A0, AD.
std::optional<unsigned char> unprintable_byte(unsigned n) {
  if (n <= 0x20) return n;
  if (n <= 0x42) return 0x7F + (n - 0x21);
  if (n == 0x43) return 0xAD;
  return std::nullopt;
}

int base64_value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

}  // namespace

std::optional<std::string> bytes_from_byte_level(std::string_view utf8) {
  std::string bytes;
  for (const char32_t c : to_code_points(replace_invalid_utf8(utf8))) {
    if (c < 0x100 && prints_as_itself(c)) {
      bytes += static_cast<char>(c);
      continue;
    }
    const auto byte = c < 0x100 ? std::nullopt : unprintable_byte(c - 0x100);
    if (!byte) return std::nullopt;
    bytes += static_cast<char>(*byte);
  }
  return bytes;
}

std::optional<std::string> bytes_from_base64(std::string_view text) {
  size_t padding = 0;
  while (!text.empty() && text.back() == '=') {
    text.remove_suffix(1);
    ++padding;
  }
  // The empty token of the multilingual vocabulary is written as a lone "=".
  if (text.empty()) return padding <= 1 ? std::optional<std::string>("") : std::nullopt;
  if ((text.size() + padding) % 4 != 0 || padding > 2) return std::nullopt;
  std::string bytes;
  unsigned buffer = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = base64_value(c);
    if (value < 0) return std::nullopt;
    buffer = (buffer << 6 | static_cast<unsigned>(value)) & 0xFFFFFF;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>(buffer >> bits & 0xFF);
  }
  return bytes;
}

}  // namespace engine
