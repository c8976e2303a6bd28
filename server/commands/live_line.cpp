#include "server/commands/live_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "protocol/text_rules.h"
#include "server/commands/terminal_width.h"

namespace server {
namespace {

constexpr const char* dim = "\x1b[2m";
constexpr const char* plain = "\x1b[0m";

// Without its first `count` characters.
std::string_view without(std::string_view text, std::size_t count) {
  const auto starts = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (starts(text[at]) && count-- == 0) break;
  }
  return text.substr(at);
}

}  // namespace

std::string live_line_text(const protocol::LiveText& live, int width) {
  std::string_view sure = live.text;
  std::string_view tail = live.tail;
  sure.remove_prefix(protocol::leading_space(sure));
  if (sure.empty()) tail.remove_prefix(protocol::leading_space(tail));
  const std::size_t length = protocol::length(sure) + protocol::length(tail);
  const std::size_t surplus = length - std::min(length, static_cast<std::size_t>(width));
  tail = without(tail, surplus - std::min(surplus, protocol::length(sure)));
  sure = without(sure, surplus);
  if (tail.empty()) return std::string(sure);
  return fmt::format("{}{}{}{}", sure, dim, tail, plain);
}

void LiveLine::update(const protocol::LiveText& live) {
  if (!enabled_) return;
  fmt::print(stderr, "\r{}\x1b[K", live_line_text(live, terminal_width() - 1));
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
