#include "engine/whisper/decoding/initial_tokens.h"

#include <algorithm>

namespace engine {

Result<InitialTokens> initial_tokens(const DecodingOptions& options, const Tokenizer& tokenizer,
                                     int n_text_ctx) {
  const auto sot =
      options.without_timestamps
          ? tokenizer.sot_sequence_including_notimestamps(options.language, options.task)
          : tokenizer.sot_sequence(options.language, options.task);
  if (!sot) return sot.error();

  InitialTokens result;
  if (!options.prompt.empty()) {
    const auto kept = std::min(options.prompt.size(), static_cast<std::size_t>(n_text_ctx / 2 - 1));
    result.tokens.push_back(tokenizer.sot_prev());
    result.tokens.insert(result.tokens.end(), options.prompt.end() - static_cast<long>(kept),
                         options.prompt.end());
  }
  result.sot_index = static_cast<int>(result.tokens.size());
  result.tokens.insert(result.tokens.end(), sot->begin(), sot->end());
  result.tokens.insert(result.tokens.end(), options.prefix.begin(), options.prefix.end());
  if (result.tokens.size() >= static_cast<std::size_t>(n_text_ctx)) {
    return Error{Errc::invalid_option,
                 "the prompt and the prefix together take " + std::to_string(result.tokens.size()) +
                     " tokens, and the model's context has " + std::to_string(n_text_ctx),
                 "Use a shorter prefix."};
  }
  return result;
}

}  // namespace engine
