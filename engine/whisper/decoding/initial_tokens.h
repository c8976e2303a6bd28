#pragma once

#include <vector>

#include "engine/error.h"
#include "engine/whisper/decoding/decoding_options.h"

namespace engine {

// The tokens that the decoder is given before it samples: [sot_prev, prompt…], sot, language, task,
// [no_timestamps], prefix….
struct InitialTokens {
  std::vector<int> tokens;
  int sot_index = 0;  // where no_speech_prob is read
};

// Makes the initial tokens as openai/whisper decoding.py `_get_initial_tokens`: of the prompt the
// last n_text_ctx/2 - 1 tokens are kept. Fails with invalid_option when the model does not know the
// language.
Result<InitialTokens> initial_tokens(const DecodingOptions& options, const Tokenizer& tokenizer,
                                     int n_text_ctx);

}  // namespace engine
