#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/subtitles/read_cues.h"
#include "protocol/subtitles/rules.h"

namespace protocol::subtitles {

// A rule that a cue breaks.
struct Violation {
  std::string rule{};  // one word: "width"
  std::string what{};  // "line 1 has 47 characters, at most 42"

  friend bool operator==(const Violation&, const Violation&) = default;
};

// Returns what is wrong with how a cue is written: its times have a sign that is not the format's.
std::optional<Violation> violation_of_writing(const ReadCue& cue);

// Returns what is wrong with a cue by the rules that the layout follows, and by those that every
// player has: it has a text and a length, and begins neither before the one before it nor before
// that one's end.
//   before    null for the first one
//   after     null for the last one
//   language  of the lists of function words; empty: only names and words are kept together
//   rules     nothing: only those of players
std::vector<Violation> violations_of(const Cue& cue, const Cue* before, const Cue* after,
                                     const std::string& language,
                                     const std::optional<Rules>& rules);

}  // namespace protocol::subtitles
