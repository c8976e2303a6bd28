#include "engine/whisper/transcriber/window_options.h"

#include <algorithm>

#include "engine/whisper/decoding/choice_rules.h"
#include "engine/whisper/decoding/strip.h"

namespace engine {

std::vector<int> encode_prompt(const Tokenizer& tokenizer, const std::string& text) {
  const std::string stripped = strip(text);
  return stripped.empty() ? std::vector<int>{} : tokenizer.encode(" " + stripped);
}

std::size_t most_prompt_tokens(const ModelDims& dims) {
  return static_cast<std::size_t>(dims.n_text_ctx / 2 - 1);
}

DecodingOptions window_options(const TranscriptionOptions& options, const Tokenizer& tokenizer,
                               const std::string& language) {
  DecodingOptions decoding;
  decoding.task = options.task;
  decoding.language = language;
  decoding.best_of = options.best_of;
  decoding.suppress_tokens = resolve_suppress_tokens(options.suppress_ids, tokenizer);
  decoding.suppress_blank = options.suppress_blank;
  decoding.max_initial_timestamp = options.max_initial_timestamp;
  decoding.repetition_penalty = options.repetition_penalty;
  decoding.no_repeat_ngram_size = options.no_repeat_ngram_size;
  decoding.loop_detection = options.loop_detection;
  return decoding;
}

DecodingOptions sequential_options(const TranscriptionOptions& options, const Tokenizer& tokenizer,
                                   const std::string& language) {
  DecodingOptions decoding = window_options(options, tokenizer, language);
  decoding.sample_len = options.sample_len;
  decoding.beam_size = std::max(1, options.beam_size);
  decoding.patience = options.patience;
  decoding.length_penalty = options.length_penalty;
  decoding.prefix = encode_prompt(tokenizer, options.prefix);
  decoding.without_timestamps = options.without_timestamps;
  return decoding;
}

}  // namespace engine
