#pragma once

#include <string_view>

namespace server {

// The first character of a UTF-8 text: its bytes, and the columns that a terminal gives it: 2 for
// East Asian scripts and emoji, 0 for marks on the character before.
struct Character {
  int columns = 0;
  std::size_t bytes = 0;
};
Character first_character(std::string_view text);

int columns(std::string_view text);

// Returns as much from the start of `text` as has room in `width` columns.
std::string_view first_columns(std::string_view text, int width);

// Returns the rest after the first characters that take `count` columns or, where a wide one is
// cut, one more. `count` keeps the columns for which the text was too short.
std::string_view without_columns(std::string_view text, int& count);

}  // namespace server
