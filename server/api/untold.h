#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "protocol/transcript.h"

namespace server::api {

// Returns what no delta of a stream has had yet of segments that were cut by their speakers
// meanwhile: none, or one piece, without times. None also where what was told is not how their text
// begins: a delta cannot take anything back, and the stream's end has the whole text.
//   told           the text of all deltas so far
//   told_logprobs  how many tokens' probabilities they had
std::vector<protocol::Segment> untold_of(const std::vector<protocol::Segment>& all,
                                         std::string_view told, std::size_t told_logprobs);

}  // namespace server::api
