#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// These functions treat text and time as Python does, because the transcript formats were defined
// with it.
namespace protocol {

// Removes white space at both ends, like str.strip(): Unicode's spaces and the separators U+001C to
// U+001F count.
std::string_view strip(std::string_view text);

// Returns how many bytes of white space the text begins with.
std::size_t leading_space(std::string_view text);

// Puts `by` in the place of each white space, as strip() knows it.
std::string replace_space(std::string_view text, std::string_view by);

// Returns the number of code points, like len() of a str.
std::size_t length(std::string_view text);

std::string replace_all(std::string_view text, std::string_view from, std::string_view to);

// Rounds to the nearest, halves to even. NaN and negative times become 0.
std::int64_t to_milliseconds(double seconds);

enum class Hours { always, where_needed };

// Returns "01:02:03.004", or "02:03.004" if there is no hour to show.
std::string format_timestamp(double seconds, Hours hours, char decimal_marker);

}  // namespace protocol
