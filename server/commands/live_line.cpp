#include "server/commands/live_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "protocol/text_rules.h"
#include "server/commands/columns.h"
#include "server/commands/terminal_width.h"
#include "server/log/escaped_text.h"
#include "server/transcription/clock_text.h"

namespace server {
namespace {

constexpr const char* dim = "\x1b[2m";
constexpr const char* plain = "\x1b[0m";
constexpr const char* ellipsis = "…";

// Returns where the end of `text` begins that takes at most `width` columns; it begins with a word
// if there are words.
std::size_t end_within(std::string_view text, int width) {
  constexpr std::size_t longest_word = 30;
  int surplus = columns(text) - width;
  const std::size_t at = text.size() - without_columns(text, surplus).size();
  if (at == 0) return 0;
  const auto space = text.find(' ', at - 1);
  return space != text.npos && space < at + longest_word ? space + 1 : at;
}

}  // namespace

std::string live_line_text(const protocol::LiveText& live, int width) {
  std::string_view sure = live.text;
  std::string_view tail = live.tail;
  const std::string waiting = "listening " + clock_text(live.heard_s);
  sure.remove_prefix(protocol::leading_space(sure));
  if (sure.empty()) tail.remove_prefix(protocol::leading_space(tail));
  if (width < 1) return {};
  if (sure.empty() && tail.empty()) tail = first_columns(waiting, width);
  const std::string both = fmt::format("{}{}", sure, tail);
  const bool is_long = columns(both) > width;
  const std::size_t begin = is_long ? end_within(both, width - columns(ellipsis)) : 0;
  const char* cut = is_long ? ellipsis : "";
  tail = std::string_view(both).substr(std::max(begin, sure.size()));
  sure = std::string_view(both).substr(0, sure.size()).substr(std::min(begin, sure.size()));
  if (tail.empty()) return fmt::format("{}{}", cut, sure);
  if (sure.empty()) return fmt::format("{}{}{}{}", dim, cut, tail, plain);
  return fmt::format("{}{}{}{}{}", cut, sure, dim, tail, plain);
}

void LiveLine::update(const protocol::LiveText& live) {
  if (!enabled_) return;
  const protocol::LiveText shown{.heard_s = live.heard_s,
                                 .text = printable_line(live.text),
                                 .tail = printable_line(live.tail)};
  fmt::print(stderr, "\r{}\x1b[K", live_line_text(shown, terminal_width(STDERR_FILENO) - 1));
  std::fflush(stderr);
  shown_ = true;
}

void LiveLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace server
