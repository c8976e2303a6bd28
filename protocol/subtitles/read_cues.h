#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/error.h"
#include "protocol/subtitle_cues.h"

namespace protocol::subtitles {

// A cue of a file, which may break every rule: it may end before it starts.
struct ReadCue {
  int number = 0;  // counted from 1
  int line = 0;    // of its times in the file
  // The sign before the thousandths of its times, if it belongs to the other format and many
  // players do not read it: "." in srt, "," in vtt; 0: the right one.
  char wrong_sign = 0;
  Cue cue{};  // its text without tags; a voice is its speaker
};

inline constexpr char not_subtitles[] = "not_subtitles";

// Reads srt and vtt in UTF-8, as lenient as players are: with or without numbers, a byte order
// mark, and settings after the times. Only vtt, which has a head, may have no cue. Errors:
// not_subtitles, if there is no line of times.
Result<std::vector<ReadCue>> read_cues(std::string_view text);

}  // namespace protocol::subtitles
