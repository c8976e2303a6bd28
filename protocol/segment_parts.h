#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "protocol/transcript.h"

namespace protocol {

// Cuts a segment between its words. `borders` are the words that parts begin with, from 0 on, and
// the number of words. Each part has the text and the tokens of its words; where these do not say
// how many tokens they have, all tokens stay with the first part.
std::vector<Segment> cut_segment(const Segment& segment, std::span<const std::size_t> borders);

}  // namespace protocol
