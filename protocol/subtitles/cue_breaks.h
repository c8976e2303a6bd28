#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "protocol/subtitles/atoms.h"
#include "protocol/subtitles/rules.h"

namespace protocol::subtitles {

// One cue of a run of atoms: those from `begin` to `end`. Its second line begins with the atom
// `second`; that is `end` if there is one line.
struct CueBreak {
  std::size_t begin = 0;
  std::size_t second = 0;
  std::size_t end = 0;

  friend bool operator==(const CueBreak&, const CueBreak&) = default;
};

// The label of the speaker before the text of a cue. It needs room in the first line, but is not
// read like text.
struct CueLabel {
  int columns = 0;
  bool is_in_each = false;  // cue; otherwise in the first alone
};

// Divides what one speaker says into cues so that all breaks together cost the reader least. Each
// cue fits into the lines of the style, and into its longest time unless it is one atom. A pause of
// two seconds always ends a cue.
std::vector<CueBreak> break_into_cues(std::span<const Atom> atoms, const std::string& language,
                                      const Rules& rules, const CueLabel& label = {});

// Returns the text of the atoms, which are one line.
std::string line_of(std::span<const Atom> atoms);

}  // namespace protocol::subtitles
