#include "server/log/escaped_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace server {
namespace {

constexpr std::uint32_t not_utf8 = 0xFFFD;

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
};

// Returns the first character. A byte that is not part of well-formed UTF-8 (cut, too long, a
// surrogate, beyond Unicode) counts as one character U+FFFD.
Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {not_utf8, 1};
  std::uint32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {not_utf8, 1};
    code = code << 6 | (byte(i) & 0x3FU);
  }
  const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (is_overlong || is_surrogate || code > 0x10FFFF) return {not_utf8, 1};
  return {code, length};
}

bool is_within(std::uint32_t code, std::uint32_t first, std::uint32_t last) {
  return code >= first && code <= last;
}

// Returns whether nobody sees the character, or it changes how others are seen.
bool is_hidden(std::uint32_t code) {
  return code < 0x20 || is_within(code, 0x7F, 0x9F) || code == 0xAD || code == 0x61C ||
         code == 0x180E || is_within(code, 0x200B, 0x200F) || is_within(code, 0x2028, 0x202E) ||
         is_within(code, 0x2060, 0x206F) || code == 0xFEFF || is_within(code, 0xFFF9, 0xFFFB) ||
         is_within(code, 0xE0000, 0xE0FFF);
}

void append_escaped(std::string& out, std::uint32_t code) {
  switch (code) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (code > 0xFFFF) {  // JSON writes it as a surrogate pair
    fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}", 0xD7C0 + (code >> 10),
                   0xDC00 + (code & 0x3FF));
  } else {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
  }
}

}  // namespace

std::string printable_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [code, bytes] = first_character(text);
    if (is_hidden(code) || (code == not_utf8 && bytes == 1)) {
      append_escaped(out, code);
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::string printable_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto [code, bytes] = first_character(text);
    const bool is_control = code < 0x20 || is_within(code, 0x7F, 0x9F);
    if (is_control && code != '\n' && code != '\t') {
      append_escaped(out, code);
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::string escaped_text(std::string_view text, std::size_t max_bytes) {
  std::string out;
  while (!text.empty()) {
    if (out.size() >= max_bytes) return out + "\xE2\x80\xA6";
    const auto [code, bytes] = first_character(text);
    if (code == '"' || code == '\\') {
      out += '\\';
      out += static_cast<char>(code);
    } else if (is_hidden(code) || (code == not_utf8 && bytes == 1)) {
      append_escaped(out, code);
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::string visible_text(std::string_view text, std::size_t max_characters) {
  std::string out;
  for (std::size_t count = 0; !text.empty(); ++count) {
    if (count == max_characters) return out + "\xE2\x80\xA6";
    const auto [code, bytes] = first_character(text);
    out += is_hidden(code) || code == not_utf8 ? "\xEF\xBF\xBD" : text.substr(0, bytes);
    text.remove_prefix(bytes);
  }
  return out;
}

bool needs_quotes(std::string_view text) {
  return text.empty() || std::ranges::any_of(text, [](char c) {
           return c <= ' ' || c == '"' || c == '=' || c == '\\' || c >= 0x7F;
         });
}

}  // namespace server
