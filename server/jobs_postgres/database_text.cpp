#include "server/jobs_postgres/database_text.h"

#include <fmt/format.h>

#include "protocol/text_rules.h"
#include "protocol/valid_utf8.h"

namespace server::postgres {
namespace {

constexpr char unknown[] = "\xEF\xBF\xBD";  // U+FFFD

}  // namespace

std::string database_text(std::string_view text) {
  return protocol::replace_all(protocol::valid_utf8(text), std::string_view("\0", 1), unknown);
}

std::string database_key(std::string_view key) {
  const bool stays = database_text(key) == key && !key.starts_with(unknown);
  if (stays) return std::string(key);
  std::string digits = unknown;
  for (const char byte : key) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

}  // namespace server::postgres
