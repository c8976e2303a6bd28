#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/transcript.h"

namespace server {

// Returns the parts of a text that count as words, which together are the text: each begins with
// the white space before it. Of scripts that have no spaces between words each letter is one.
std::vector<std::string> words_of(std::string_view text);

// Beyond so many comparisons of words only what both texts begin and end with is taken for the
// same.
inline constexpr std::size_t most_compared_words = 4'000'000;

// Returns the words of a segment whose text was changed by a person, and when they are said. The
// longest common run of words keeps its times: words that are the same are returned as they were,
// those that differ in case or punctuation alone have the new text. Words between them share the
// time of those that they replace, or else the gap, by their length in letters. The probability of
// what a person wrote is 1. Times are in order and inside the segment if those of `before` are.
//   before  the segment's words, in order; none: the new ones share the whole segment
std::vector<protocol::Word> timed_words(std::span<const protocol::Word> before,
                                        std::string_view text, double start, double end);

}  // namespace server
