#pragma once

#include <cstddef>
#include <string_view>

namespace server {

// Returns how many characters have to be inserted, removed or replaced to make one text of the
// other (Levenshtein). The time is the product of both lengths, so texts from outside are cut
// before.
std::size_t edit_distance(std::string_view from, std::string_view to);

}  // namespace server
