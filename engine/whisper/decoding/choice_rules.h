#pragma once

#include <span>
#include <vector>

#include "engine/whisper/choice/choice_options.h"
#include "engine/whisper/decoding/decoding_options.h"

namespace engine {

// Returns the rules of a decode with these options. `n_audio_ctx` is the encoder's positions in
// 30 s, so that a timestamp is 30 / n_audio_ctx seconds.
ChoiceOptions choice_rules(const DecodingOptions& options, const Tokenizer& tokenizer,
                           int n_audio_ctx);

// Returns the ids that "-1" and explicit lists stand for, with the special tokens that are never
// sampled and the ids that no token has; ascending. openai/whisper decoding.py
// `_get_suppress_tokens`.
std::vector<int> resolve_suppress_tokens(std::span<const int> wanted, const Tokenizer& tokenizer);

}  // namespace engine
