#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

#include "protocol/transcript.h"
#include "server/base/error.h"

// What an edit makes of one segment. The errors are bad_edit, with a sentence that says why.
namespace server {

// The code of an edit that the text does not allow.
inline constexpr char bad_edit[] = "bad_edit";

Error refused_edit(std::string why, std::string fix = {});

// Returns how many of its words set_segment_text() may compare with those of the text.
std::size_t words_to_compare(const protocol::Segment& segment, std::string_view text);

// Gives the segment a text, in one line and with the white space before it that the old one has.
// Its words are timed anew, if it has word times. Returns false if the text is the same.
Result<bool> set_segment_text(protocol::Segment& segment, std::string_view text);

// Cuts the segment before a word. Without word times it is cut where words_of() would, and its
// parts share its time by their letters.
Result<std::pair<protocol::Segment, protocol::Segment>> split_segment(
    const protocol::Segment& segment, int word);
// Returns how many parts split_segment() can make.
int count_parts(const protocol::Segment& segment);

// Appends a segment to the one before it.
Result<void> append_segment(protocol::Segment& segment, const protocol::Segment& next);

// Moves the ends of the segment; its words stay inside.
void set_segment_times(protocol::Segment& segment, double start, double end);

}  // namespace server
