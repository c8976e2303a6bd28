#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

// Returns the words of a text, by which two texts are compared: in lower case and without signs, as
// far as ASCII goes. A letter of a script without spaces is a word.
std::vector<std::u32string> compared_words(std::string_view valid_utf8);

// Returns how many words have to be changed, added or removed to make one text the other.
std::size_t different_words(const std::vector<std::u32string>& one,
                            const std::vector<std::u32string>& other);

}  // namespace engine
