#include "protocol/text_direction.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace protocol {
namespace {

enum class Kind { left_to_right, right_to_left, neutral };

struct Range {
  char32_t first;
  char32_t last;
};

bool is_in(std::span<const Range> ranges, char32_t letter) {
  return std::ranges::any_of(
      ranges, [&](const Range& range) { return letter >= range.first && letter <= range.last; });
}

// Blocks of Unicode whose letters are of such scripts (Bidi_Class R and AL).
constexpr std::array right_to_left_blocks{
    Range{0x0590, 0x065f}, Range{0x066a, 0x06ef},   Range{0x06fa, 0x08ff},  Range{0xfb1d, 0xfdff},
    Range{0xfe70, 0xfefe}, Range{0x10800, 0x10fff}, Range{0x1e800, 0x1efff}};

// Digits of Arabic keep the direction of the text around them, as signs do.
constexpr std::array neutral_blocks{
    Range{0x00, 0x2f},     Range{0x3a, 0x40},     Range{0x5b, 0x60},     Range{0x7b, 0xbf},
    Range{0x0600, 0x0605}, Range{0x060c, 0x060c}, Range{0x0660, 0x066c}, Range{0x06f0, 0x06f9},
    Range{0x2000, 0x2bff}, Range{0x3000, 0x303f}, Range{0xfeff, 0xfeff}};

Kind kind_of(char32_t letter) {
  if (is_in(neutral_blocks, letter)) return Kind::neutral;
  return is_in(right_to_left_blocks, letter) ? Kind::right_to_left : Kind::left_to_right;
}

// Takes the first letter off a text in UTF-8; what is none is a letter of its own.
char32_t take_letter(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t size = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  constexpr std::array<unsigned char, 5> masks{0, 0x7f, 0x1f, 0x0f, 0x07};
  char32_t letter = first & masks[size];
  const auto rest = text.substr(1, size - 1);
  for (const char c : rest) letter = letter << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  text.remove_prefix(std::min(size, text.size()));
  return letter;
}

Kind first_kind(std::string_view text) {
  while (!text.empty()) {
    if (const Kind kind = kind_of(take_letter(text)); kind != Kind::neutral) return kind;
  }
  return Kind::neutral;
}

}  // namespace

bool is_right_to_left(std::string_view language) {
  constexpr std::array<std::string_view, 7> languages{"ar", "fa", "he", "ps", "sd", "ur", "yi"};
  return std::ranges::find(languages, language) != languages.end();
}

bool reads_right_to_left(std::string_view text) {
  return first_kind(text) == Kind::right_to_left;
}

bool looks_left_to_right(std::string_view line) {
  return first_kind(line) == Kind::left_to_right;
}

}  // namespace protocol
