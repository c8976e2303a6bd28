#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "protocol/subtitle_cues.h"
#include "protocol/transcript.h"

namespace protocol {

// Each word of a cue is a cue again with the whole text: a text without these limits would be
// written as many times as it has words. Whisper's segments of half a minute stay whole.
inline constexpr std::size_t most_highlighted_words = 150;
inline constexpr std::size_t most_highlighted_letters = 1000;

// Returns a cue for each word of a group, and one for each pause between its words, with the text
// of the group. A group over the limits is cut before a word, if there is one in the second half
// where a segment begins before that.
//   group           each word begins with its separator
//   segment_begins  for each word: whether it is the first one of a segment
std::vector<Cue> highlighted_cues(std::span<const Word> group,
                                  const std::vector<bool>& segment_begins);

}  // namespace protocol
