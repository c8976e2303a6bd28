#pragma once

#include <span>
#include <string>
#include <vector>

#include "protocol/subtitles/atoms.h"

namespace protocol::subtitles {

// A break that splits what belongs together, as an article and its noun: taken only where there is
// no other.
inline constexpr double forbidden_break = 1000;

// Breaks that cost this much split a word, a name, or an article and its noun.
inline constexpr double bad_break = 40;

// How much it costs the reader if a line or a cue ends after this atom, from 0 after a sentence up
// to forbidden_break: punctuation is best, then the beginning of a clause, then any other word.
struct BreakCost {
  double cost = 0;
  bool ends_sentence = false;
};

// Returns the cost after each atom, as many as there are atoms.
std::vector<BreakCost> break_costs(std::span<const Atom> atoms, const std::string& language);

}  // namespace protocol::subtitles
