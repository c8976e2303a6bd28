#pragma once

#include <span>
#include <vector>

#include "engine/whisper/text/tokenizer.h"
#include "protocol/transcript_event.h"

namespace engine {

// Returns the text tokens among `tokens` with their bytes; timestamps and other special tokens are
// left out.
//   logprobs: one for each token
std::vector<protocol::TokenLogprob> token_logprobs(const Tokenizer& tokenizer,
                                                   std::span<const int> tokens,
                                                   std::span<const float> logprobs);

}  // namespace engine
