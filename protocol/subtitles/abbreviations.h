#pragma once

#include <string_view>

namespace protocol::subtitles {

// Returns whether the full stop of a word belongs to an abbreviation or an ordinal, and ends no
// sentence: "Dr." before a name, "No." before a number, "z." before "B.", German "3." before "Mai",
// and any word before one that begins with a small letter. "No." before another word is a sentence.
//   word, next  as they are written, with punctuation
//   language    a code, of the ordinals
bool is_abbreviation(std::string_view word, std::string_view next, std::string_view language);

}  // namespace protocol::subtitles
