#pragma once

#include <cstddef>
#include <string>

namespace platform {

// The facts about a card that a variable such as CUDA_VISIBLE_DEVICES may hide.
struct HiddenCard {
  std::string uuid{};          // empty: unknown
  std::size_t cards = 0;       // cards of its vendor in the machine; 0: unknown
  bool others_listed = false;  // the driver's library lists cards, and not this one
};

// Returns whether the variable's value can hide the card: it is empty, names no card, or other
// cards are listed instead of this one. Libraries read it up to the first part that is no card.
bool hides(const std::string& value, const HiddenCard& card);

}  // namespace platform
