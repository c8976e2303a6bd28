#pragma once

#include <string_view>

namespace server {

// Returns whether one typing mistake makes one text of the other: a character too many or too few,
// a wrong one, or two neighbours in the wrong order. Equal texts are not one edit apart.
bool is_one_edit_apart(std::string_view a, std::string_view b);

}  // namespace server
