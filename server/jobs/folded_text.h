#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace server {

// Returns the text as UTF-16 without the difference between capital and small letters, in any
// script: "Straße" and "STRASSE" become the same. Bytes that are no UTF-8 become U+FFFD.
std::u16string folded(std::string_view text);

// Returns the same as UTF-8.
std::string folded_utf8(std::string_view text);

// Returns the parts of the text between white space, folded, each once and in order.
std::vector<std::u16string> folded_words(std::string_view text);

// Returns the same parts as they are.
std::vector<std::string> words_between_spaces(std::string_view text);

}  // namespace server
