#pragma once

#include <string>

#include "protocol/subtitle_cues.h"

// The text of a cue as files have it.
namespace protocol {

// Removes lines without text, which would end the cue in a file, and puts spaces in the place of
// other signs that parsers take for the end of a line.
void remove_blank_lines(Cue& cue);

// Returns the lines as a reader sees them, without speakers: with a dash before each if two speak.
std::string shown_lines(const Cue& cue);

// Returns the lines of a cue; a line from right to left whose first letter is Latin begins with a
// mark that tells players so. If two speak, each has a dash and its speaker. In both formats "-->"
// is only between times: srt has "->" instead, vtt has escapes.
//   tells_speaker  the label of the speaker comes first, "Ann: "
std::string srt_text(const Cue& cue, bool tells_speaker);

// A speaker is a voice that encloses the whole text, "<v Ann>", in each cue, or the line if two
// speak; only the label of a channel comes first as in srt.
std::string vtt_text(const Cue& cue, bool tells_speaker);

// The label of the speaker comes first as in srt. A line ends with "\N". Braces become parentheses,
// and an invisible word joiner follows a backslash, since the format has no escapes. If the cue
// tells when its words begin, "{\k12}" before each has its length in hundredths of a second.
std::string ass_text(const Cue& cue, bool tells_speaker);

}  // namespace protocol
