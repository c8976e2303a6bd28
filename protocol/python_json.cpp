#include "protocol/python_json.h"

#include <charconv>
#include <cmath>
#include <string_view>

namespace protocol {
namespace {

// Writes the fewest digits that read back the same, with an exponent below 1e-4 and from 1e16.
std::string python_float(double value) {
  if (!std::isfinite(value)) return "null";
  const double size = std::abs(value);
  const bool plain = size == 0 || (size >= 1e-4 && size < 1e16);
  char digits[64];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), value,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific)
                       .ptr;
  std::string text(digits, end);
  if (plain && text.find('.') == text.npos) text += ".0";
  return text;
}

std::string ascii(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
}

void append(std::string& text, const nlohmann::ordered_json& json) {
  std::string_view separator;
  if (json.is_object()) {
    text += '{';
    for (const auto& [key, value] : json.items()) {
      text.append(separator).append(ascii(key)).append(": ");
      append(text, value);
      separator = ", ";
    }
    text += '}';
  } else if (json.is_array()) {
    text += '[';
    for (const auto& value : json) {
      text.append(separator);
      append(text, value);
      separator = ", ";
    }
    text += ']';
  } else {
    text += json.is_number_float() ? python_float(json.get<double>()) : ascii(json);
  }
}

}  // namespace

std::string python_json(const nlohmann::ordered_json& json) {
  std::string text;
  append(text, json);
  return text;
}

}  // namespace protocol
