#pragma once

#include <string>
#include <string_view>

// Which way a text is read.
namespace protocol {

// Returns whether a language is written from right to left in the script that Whisper writes.
bool is_right_to_left(std::string_view language);

// Returns whether the first letter of a text is of a script that is written from right to left.
bool reads_right_to_left(std::string_view text);

// Returns whether a player that looks at a line of a right-to-left text would show it from left to
// right: its first letter or digit is not of a right-to-left script.
bool looks_left_to_right(std::string_view line);

// The sign that makes such a line one from right to left (U+200F). It is not seen.
inline constexpr std::string_view right_to_left_mark = "\u200f";

}  // namespace protocol
