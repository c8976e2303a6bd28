#include "server/jobs_postgres/database_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "protocol/json_parse.h"
#include "protocol/json_text.h"
#include "protocol/text_rules.h"

namespace server::postgres {
namespace {

constexpr char unknown[] = "\xEF\xBF\xBD";  // U+FFFD

// Returns how many bytes the character at the beginning of the text has; 0: it is no UTF-8.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const std::size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Codes that have a shorter form, halves of a pair, and those beyond Unicode.
  const int start = byte(0) << 8 | byte(1);
  const bool is_wrong = (length == 3 && (start < 0xE0A0 || (start >= 0xEDA0 && start < 0xEE00))) ||
                        (length == 4 && (start < 0xF090 || start >= 0xF490));
  return is_wrong ? 0 : length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

// json::dump() puts U+FFFD in the place of bytes that are no UTF-8.
std::string made_valid(std::string_view text) {
  const auto valid = protocol::json::parse_text(protocol::json::dump(nlohmann::json(text)));
  return valid ? valid->get<std::string>() : std::string();
}

}  // namespace

std::string database_text(std::string_view text) {
  const std::string valid = is_utf8(text) ? std::string(text) : made_valid(text);
  return protocol::replace_all(valid, std::string_view("\0", 1), unknown);
}

std::string database_key(std::string_view key) {
  const bool stays = is_utf8(key) && key.find('\0') == key.npos && !key.starts_with(unknown);
  if (stays) return std::string(key);
  std::string digits = unknown;
  for (const char byte : key) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

}  // namespace server::postgres
