#include "server/commands/columns.h"

#include <algorithm>
#include <array>

namespace server {
namespace {

struct Range {
  char32_t first, last;
};

// Blocks of characters that Unicode's EastAsianWidth calls wide or fullwidth.
constexpr std::array wide{
    Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0x4DBF},
    Range{0x4E00, 0xA4CF},   Range{0xA960, 0xA97C},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},
    Range{0xFFE0, 0xFFE6},   Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF},
    Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD},
};

// Marks of the scripts that Whisper writes, joiners and variation selectors.
constexpr std::array marks{
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD}, Range{0x05BF, 0x05C7},
    Range{0x0610, 0x061A}, Range{0x064B, 0x065F}, Range{0x06D6, 0x06DC}, Range{0x0900, 0x0902},
    Range{0x093C, 0x093C}, Range{0x0941, 0x0948}, Range{0x094D, 0x094D}, Range{0x0981, 0x0981},
    Range{0x09BC, 0x09BC}, Range{0x09C1, 0x09C4}, Range{0x09CD, 0x09CD}, Range{0x0BC0, 0x0BC0},
    Range{0x0BCD, 0x0BCD}, Range{0x0C3E, 0x0C40}, Range{0x0C46, 0x0C56}, Range{0x0E31, 0x0E31},
    Range{0x0E34, 0x0E3A}, Range{0x0E47, 0x0E4E}, Range{0x200B, 0x200F}, Range{0x20D0, 0x20F0},
    Range{0x3099, 0x309A}, Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F},
};

template <std::size_t size>
bool is_in(const std::array<Range, size>& ranges, char32_t c) {
  return std::ranges::any_of(ranges, [c](Range r) { return r.first <= c && c <= r.last; });
}

}  // namespace

Character first_character(std::string_view text) {
  if (text.empty()) return {};
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t code = lead & (length == 1 ? 0xFF : 0x7F >> length);
  std::size_t bytes = 1;
  for (; bytes < std::min(length, text.size()); ++bytes) {
    const auto next = static_cast<unsigned char>(text[bytes]);
    if ((next & 0xC0) != 0x80) break;
    code = (code << 6) | (next & 0x3F);
  }
  return {is_in(marks, code) ? 0 : is_in(wide, code) ? 2 : 1, bytes};
}

int columns(std::string_view text) {
  int sum = 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    sum += next.columns;
    text.remove_prefix(next.bytes);
  }
  return sum;
}

std::string_view first_columns(std::string_view text, int width) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const Character next = first_character(rest);
    width -= next.columns;
    if (width < 0) break;
    rest.remove_prefix(next.bytes);
  }
  return text.substr(0, text.size() - rest.size());
}

std::string_view without_columns(std::string_view text, int& count) {
  const bool cuts = count > 0;
  while (!text.empty()) {
    const Character next = first_character(text);
    // A mark goes with the character that it stands on.
    if (count <= 0 && (next.columns > 0 || !cuts)) break;
    count -= next.columns;
    text.remove_prefix(next.bytes);
  }
  return text;
}

}  // namespace server
