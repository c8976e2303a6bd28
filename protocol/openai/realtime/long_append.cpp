#include "protocol/openai/realtime/long_append.h"

#include <charconv>
#include <utility>

namespace protocol::openai::realtime {
namespace {

constexpr std::size_t long_event = 64 << 10;  // bytes; shorter ones are parsed as they are
constexpr std::string_view key = "\"audio\"";
constexpr std::string_view white_space = " \t\r\n";

// Returns the escaped character at the front, which is taken away. Some clients write "/" as "\/",
// and "+" as "\u002B".
std::optional<char> take_escaped(std::string_view& text) {
  constexpr std::size_t unicode = 6;
  if (text.starts_with("\\/")) {
    text.remove_prefix(2);
    return '/';
  }
  unsigned value = 0;
  if (text.size() < unicode || !text.starts_with("\\u")) return std::nullopt;
  const char* end = text.data() + unicode;
  const auto read = std::from_chars(text.data() + 2, end, value, 16);
  if (read.ec != std::errc() || read.ptr != end || value >= 0x80) return std::nullopt;
  text.remove_prefix(unicode);
  return static_cast<char>(value);
}

std::optional<std::string> without_escapes(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const auto run = text.substr(0, text.find('\\'));
    plain += run;
    text.remove_prefix(run.size());
    if (text.empty()) break;
    const auto one = take_escaped(text);
    if (!one) return std::nullopt;
    plain += *one;
  }
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
