#include "server/hosts/json_object.h"

#include <algorithm>

namespace server {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::size_t after_blanks(std::string_view json, std::size_t at) {
  return std::min(json.find_first_not_of(blanks, at), json.size());
}

// Returns the place behind the string that begins at `at`.
std::size_t after_string(std::string_view json, std::size_t at) {
  for (++at; at < json.size() && json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return std::min(at + 1, json.size());
}

// Returns the place behind the value that begins at `at`.
std::size_t after_value(std::string_view json, std::size_t at) {
  if (at >= json.size()) return json.size();
  if (json[at] == '"') return after_string(json, at);
  if (json[at] != '{' && json[at] != '[') {
    return std::min(json.find_first_of(" \t\r\n,]}", at), json.size());
  }
  for (int depth = 0; at < json.size();) {
    const char c = json[at];
    if (c == '"') {
      at = after_string(json, at);
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (depth == 0) return at;
  }
  return json.size();
}

// Returns the blanks between the beginning of a line and `at`; all that is there, if it is more.
std::string_view indent_of(std::string_view json, std::size_t at) {
  const auto line = json.rfind('\n', at);
  const std::size_t begin = line == json.npos ? 0 : line + 1;
  const auto end = std::min(json.find_first_not_of(" \t", begin), at);
  return json.substr(begin, end - begin);
}

// Returns a text of several lines with `indent` before each but the first.
std::string indented(std::string_view text, std::string_view indent) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '\n') result += indent;
  }
  return result;
}

// Returns the end of the last member's value; empty if the object has none.
std::optional<std::size_t> end_of_members(std::string_view json, TextSpan object) {
  const auto last = json.find_last_not_of(blanks, object.end - 2);
  if (last == json.npos || last <= object.begin) return std::nullopt;
  return last + 1;
}

}  // namespace

TextSpan root_object(std::string_view json) {
  const auto begin = after_blanks(json, 0);
  return {begin, after_value(json, begin)};
}

std::optional<TextSpan> member_value(std::string_view json, TextSpan object, std::string_view key) {
  std::size_t at = after_blanks(json, object.begin + 1);
  while (at < object.end && json[at] == '"') {
    const std::size_t name_end = after_string(json, at);
    const auto name = json.substr(at + 1, name_end - at - 2);
    const std::size_t value = after_blanks(json, after_blanks(json, name_end) + 1);
    const std::size_t value_end = after_value(json, value);
    if (name == key) return TextSpan{value, value_end};
    at = after_blanks(json, after_blanks(json, value_end) + 1);
  }
  return std::nullopt;
}

std::string with_member(std::string_view json, TextSpan object, std::string_view key,
                        std::string_view value) {
  const auto last = end_of_members(json, object);
  const std::string outer(indent_of(json, object.begin));
  std::string indent = outer + "  ";
  if (last) {
    const auto first = after_blanks(json, object.begin + 1);
    const bool has_lines = json.substr(object.begin, first - object.begin).find('\n') != json.npos;
    if (has_lines) indent = indent_of(json, first);
  }
  const std::string member =
      "\n" + indent + "\"" + std::string(key) + "\": " + indented(value, indent);
  std::string text(json.substr(0, last.value_or(object.begin + 1)));
  text += (last ? "," : "") + member;
  // An object on one line gets its end on a line of its own.
  const std::string_view rest = json.substr(last.value_or(object.end - 1));
  const bool ends_on_line = last && rest.substr(0, rest.find('}')).find('\n') != rest.npos;
  if (!ends_on_line) return text + "\n" + outer + std::string(json.substr(object.end - 1));
  return text + std::string(rest);
}

std::string with_value(std::string_view json, TextSpan place, std::string_view value) {
  return std::string(json.substr(0, place.begin)) + indented(value, indent_of(json, place.begin)) +
         std::string(json.substr(place.end));
}

}  // namespace server
