#include "server/commands/page.h"

#include <unistd.h>

#include <algorithm>

#include "server/log/escaped_text.h"

namespace server {
namespace {

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_character));
}

// Returns where the first `count` characters end.
std::size_t offset_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    if (starts_character(text[at]) && count-- == 0) break;
  }
  return at;
}

// Returns how much of a word that is wider than a line stays on it.
std::size_t cut(std::string_view word, std::size_t width) {
  const std::size_t end = offset_of(word, width);
  const auto slash = word.substr(0, end).rfind('/');
  return slash != std::string_view::npos && slash > 0 ? slash + 1 : end;
}

const char* escape(Style style) {
  switch (style) {
    case Style::plain:
      return "";
    case Style::strong:
      return "\x1b[1m";
    case Style::good:
      return "\x1b[32m";
    case Style::doubtful:
      return "\x1b[33m";
    case Style::bad:
      return "\x1b[31m";
  }
  return "";
}

}  // namespace

bool wants_colour(int fd, const Environment& environment) {
  return environment("NO_COLOR").empty() && environment("TERM") != "dumb" && ::isatty(fd) == 1;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t filled = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(" \n"), text.size());
    std::string_view word = text.substr(0, end);
    if (!word.empty() && filled > 0 && filled + 1 + width_of(word) > width) {
      lines.emplace_back();
      filled = 0;
    }
    while (width_of(word) > width) {
      const std::size_t part = cut(word, width);
      lines.back() += word.substr(0, part);
      lines.emplace_back();
      word.remove_prefix(part);
    }
    if (!word.empty()) {
      if (filled > 0) lines.back() += ' ';
      lines.back() += word;
      filled = width_of(lines.back());
    }
    if (end < text.size() && text[end] == '\n') {
      lines.emplace_back();
      filled = 0;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string Page::masked(const std::string& text) const {
  // The text may come from drivers and libraries, so it is made printable.
  return printable_text(form_.mask ? form_.mask(text) : text);
}

std::string Page::styled(std::string_view text, Style style) const {
  if (!form_.coloured || style == Style::plain) return std::string(text);
  return std::string(escape(style)).append(text).append("\x1b[0m");
}

void Page::heading(std::string_view title) {
  text_.append("\n").append(styled(title, Style::strong)).append("\n");
}

void Page::paragraph(std::size_t indent, const std::string& text, Style style) {
  for (const auto& line : wrap(masked(text), form_.width - indent)) {
    text_.append(indent, ' ').append(styled(line, style)).append("\n");
  }
}

void Page::row(std::size_t indent, std::size_t label_width, const std::string& label,
               const std::string& text, Style label_style) {
  const std::size_t column = indent + label_width;
  const std::string shown = masked(label);
  const std::size_t used = width_of(shown);
  text_.append(indent, ' ').append(styled(shown, label_style));
  // A label that is too wide gets a line of its own.
  const bool fits = used + 1 <= label_width;
  bool beside_label = fits;
  if (fits) text_.append(label_width - used, ' ');
  if (!fits) text_.append("\n");
  for (const auto& line : wrap(masked(text), form_.width - column)) {
    if (!beside_label) text_.append(column, ' ');
    text_.append(line).append("\n");
    beside_label = false;
  }
}

}  // namespace server
