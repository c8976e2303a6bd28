#pragma once

#include <cstddef>
#include <string>

namespace platform {

// What is known of a card that a variable such as CUDA_VISIBLE_DEVICES may leave out.
struct HiddenCard {
  std::string uuid{};          // empty: not known
  std::size_t cards = 0;       // of its vendor in the machine; 0: not known
  bool others_listed = false;  // the driver's library lists cards, and not this one
};

// Whether the variable's value can be what hides the card: it is empty, names no card, or other
// cards are listed in place of this one. Libraries read it up to the first part that is no card.
bool hides(const std::string& value, const HiddenCard& card);

}  // namespace platform
