#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Python's idea of text and time, which the transcript formats were defined with.
namespace protocol {

// Without white space at both ends, as str.strip(): Unicode's spaces and the separators U+001C to
// U+001F count.
std::string_view strip(std::string_view text);

// How many bytes of white space the text begins with.
std::size_t leading_space(std::string_view text);

// Code points, as len() of a str.
std::size_t length(std::string_view text);

std::string replace_all(std::string_view text, std::string_view from, std::string_view to);

// Rounded to the nearest, halves to even. Not a number and negative times are 0.
std::int64_t to_milliseconds(double seconds);

enum class Hours { always, where_needed };

// "01:02:03.004", or "02:03.004" where there is no hour to show.
std::string format_timestamp(double seconds, Hours hours, char decimal_marker);

}  // namespace protocol
