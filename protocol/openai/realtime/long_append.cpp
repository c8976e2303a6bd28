#include "protocol/openai/realtime/long_append.h"

#include <utility>

namespace protocol::openai::realtime {
namespace {

constexpr std::size_t long_event = 64 << 10;  // bytes; shorter ones are parsed as they are
constexpr std::string_view key = "\"audio\"";
constexpr std::string_view white_space = " \t\r\n";

// Returns the value of four hexadecimal digits; nothing if there are fewer. Letters of 20 MiB are
// read while others wait, so this is a plain loop.
std::optional<unsigned> hex_value(const char* digits, const char* end) {
  if (end - digits < 4) return std::nullopt;
  unsigned value = 0;
  for (const char* digit = digits; digit != digits + 4; ++digit) {
    const char lower = static_cast<char>(*digit | 0x20);
    if (*digit >= '0' && *digit <= '9') {
      value = value * 16 + static_cast<unsigned>(*digit - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      value = value * 16 + static_cast<unsigned>(lower - 'a' + 10);
    } else {
      return std::nullopt;
    }
  }
  return value;
}

// Returns the text with its escaped characters as they are meant, nothing if it has ones that
// Base64 has not. Some clients write "/" as "\/", and "+" as "\u002B".
std::optional<std::string> without_escapes(std::string_view text) {
  std::string plain(text.size(), '\0');
  char* out = plain.data();
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    if (*at != '\\') {
      *out++ = *at++;
    } else if (end - at >= 2 && at[1] == '/') {
      *out++ = '/';
      at += 2;
    } else {
      const auto value = end - at >= 2 && at[1] == 'u' ? hex_value(at + 2, end) : std::nullopt;
      if (!value || *value >= 0x80) return std::nullopt;
      *out++ = static_cast<char>(*value);
      at += 6;
    }
  }
  plain.resize(static_cast<std::size_t>(out - plain.data()));
  return plain;
}

// Returns where the characters of the string "audio" begin. A quote inside of a string has a
// backslash before it, so what looks like the key with its colon is the key.
std::optional<std::size_t> begin_of_audio(std::string_view event) {
  for (auto at = event.find(key); at != event.npos; at = event.find(key, at + key.size())) {
    const auto colon = event.find_first_not_of(white_space, at + key.size());
    if (colon == event.npos || event[colon] != ':') continue;
    const auto quote = event.find_first_not_of(white_space, colon + 1);
    if (quote != event.npos && event[quote] == '"') return quote + 1;
  }
  return std::nullopt;
}

}  // namespace

std::optional<LongAppend> split_append(std::string_view event) {
  if (event.size() < long_event) return std::nullopt;
  const auto begin = begin_of_audio(event);
  if (!begin) return std::nullopt;
  const std::size_t end = event.find('"', *begin);
  if (end == event.npos) return std::nullopt;
  LongAppend split{.audio = without_escapes(event.substr(*begin, end - *begin))};
  split.rest.append(event, 0, *begin).append(event, end);
  return split;
}

}  // namespace protocol::openai::realtime
