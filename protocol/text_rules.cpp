#include "protocol/text_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace protocol {
namespace {

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) == 0x80;
}

bool is_ascii_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= '\x1c' && c <= '\x1f');
}

// Returns whether `c` is the UTF-8 of one of U+0085, U+00A0, U+1680, U+2000 to U+200A, U+2028,
// U+2029, U+202F, U+205F and U+3000.
bool is_wide_space(std::string_view c) {
  if (c == "\xc2\x85" || c == "\xc2\xa0" || c == "\xe1\x9a\x80" || c == "\xe3\x80\x80") return true;
  if (c == "\xe2\x81\x9f") return true;
  if (c.size() != 3 || !c.starts_with("\xe2\x80")) return false;
  const auto last = static_cast<unsigned char>(c[2]);
  return last <= 0x8a || last == 0xa8 || last == 0xa9 || last == 0xaf;
}

bool is_space(std::string_view c) {
  return c.size() == 1 ? is_ascii_space(c[0]) : is_wide_space(c);
}

std::string_view first_code_point(std::string_view text) {
  std::size_t end = 1;
  while (end < text.size() && is_continuation(text[end])) ++end;
  return text.substr(0, end);
}

std::string_view last_code_point(std::string_view text) {
  std::size_t begin = text.size() - 1;
  while (begin > 0 && is_continuation(text[begin])) --begin;
  return text.substr(begin);
}

}  // namespace

std::size_t leading_space(std::string_view text) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const auto c = first_code_point(text.substr(bytes));
    if (!is_space(c)) break;
    bytes += c.size();
  }
  return bytes;
}

std::string_view strip(std::string_view text) {
  text.remove_prefix(leading_space(text));
  while (!text.empty()) {
    const auto c = last_code_point(text);
    if (!is_space(c)) break;
    text.remove_suffix(c.size());
  }
  return text;
}

std::string replace_space(std::string_view text, std::string_view by) {
  std::string replaced;
  while (!text.empty()) {
    const auto c = first_code_point(text);
    replaced += is_space(c) ? by : c;
    text.remove_prefix(c.size());
  }
  return replaced;
}

std::size_t length(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string replaced;
  for (auto at = text.find(from); at != text.npos; at = text.find(from)) {
    replaced.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  return replaced.append(text);
}

std::int64_t to_milliseconds(double seconds) {
  constexpr double longest_s = 1e12;  // keeps the product well inside 64 bits
  if (!(seconds > 0)) return 0;
  return std::llrint(std::min(seconds, longest_s) * 1000.0);
}

std::string format_timestamp(double seconds, Hours hours, char decimal_marker) {
  const std::int64_t ms = to_milliseconds(seconds);
  const long long h = ms / 3'600'000;
  const int minutes = static_cast<int>(ms / 60'000 % 60);
  const int whole_seconds = static_cast<int>(ms / 1'000 % 60);
  char text[48];
  int at = 0;
  if (hours == Hours::always || h > 0) at = std::snprintf(text, sizeof text, "%02lld:", h);
  std::snprintf(text + at, sizeof text - static_cast<std::size_t>(at), "%02d:%02d%c%03d", minutes,
                whole_seconds, decimal_marker, static_cast<int>(ms % 1'000));
  return text;
}

}  // namespace protocol
