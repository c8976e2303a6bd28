#include "platform/facts/text.h"

#include <algorithm>
#include <charconv>

namespace platform {
namespace {

constexpr std::string_view blanks = " \t\r\n";

template <class T>
std::optional<T> parse_number(std::string_view text, int base) {
  T value = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (text.empty() || error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto start = text.find_first_not_of(blanks);
    if (start == std::string_view::npos) return parts;
    text.remove_prefix(start);
    const auto end = std::min(text.find_first_of(blanks), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::optional<std::int64_t> parse_int(std::string_view text) {
  return parse_number<std::int64_t>(text, 10);
}

std::optional<std::uint16_t> parse_hex16(std::string_view text) {
  if (text.starts_with("0x")) text.remove_prefix(2);
  return parse_number<std::uint16_t>(text, 16);
}

}  // namespace platform
