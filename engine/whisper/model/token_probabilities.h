#pragma once

#include <span>
#include <vector>

#include "engine/whisper/choice/logit_row.h"

namespace engine {

// Returns how likely each next token is among the text tokens alone, as openai/whisper's timing.py
// `find_alignment` rates words; 0 for one that is no text.
//   next    of each row, an id
//   n_text  ids below it are text
std::vector<float> token_probabilities(const LogitRows& logits, std::span<const int> next,
                                       int n_text);

}  // namespace engine
