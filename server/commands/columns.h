#pragma once

#include <string_view>

namespace server {

// Columns that a terminal gives the character that `text`, which is UTF-8, begins with, and its
// bytes: 2 columns for those of East Asian scripts and for emoji, 0 for marks on the one before.
struct Character {
  int columns = 0;
  std::size_t bytes = 0;
};
Character first_character(std::string_view text);

int columns(std::string_view text);

// As much from the start as has room in `width` columns.
std::string_view first_columns(std::string_view text, int width);

// The rest behind the first characters that take `count` columns or, where a wide one is cut, one
// more. What of `count` the text was too short for stays in it.
std::string_view without_columns(std::string_view text, int& count);

}  // namespace server
