#include "server/mcp/tools/shown.h"

#include <algorithm>

#include "protocol/json_text.h"
#include "server/log/escaped_text.h"

namespace server {
namespace {

constexpr std::size_t name_characters = 100;
constexpr std::size_t line_characters = 1000;

}  // namespace

std::string json_string(const std::string& text) {
  return protocol::json::dump(nlohmann::json(text));
}

std::string quoted_name(std::string_view name) {
  return json_string(shown_name(name));
}

std::string quoted_path(std::string_view path) {
  return json_string(visible_text(path, line_characters));
}

std::string shown_name(std::string_view name) {
  return visible_text(name, name_characters);
}

std::string shown_line(std::string_view sentence) {
  std::string line(sentence);
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return visible_text(line, line_characters);
}

}  // namespace server
