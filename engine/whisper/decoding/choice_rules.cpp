#include "engine/whisper/decoding/choice_rules.h"

#include <cmath>
#include <set>

namespace engine {
namespace {

constexpr double chunk_length_s = 30;

}  // namespace

ChoiceOptions choice_rules(const DecodingOptions& options, const Tokenizer& tokenizer,
                           int n_audio_ctx) {
  ChoiceOptions rules;
  rules.n_rows = options.n_rows();
  rules.beam_search = !options.sampling() && options.beam_size > 1;
  rules.temperature = options.temperature;
  rules.seed = options.seed;
  rules.suppress = options.suppress_tokens;
  if (options.suppress_blank) {
    rules.blank = tokenizer.encode(" ");
    rules.blank.push_back(tokenizer.eot());
  }
  rules.timestamps = !options.without_timestamps;
  // openai/whisper takes 0 as unset.
  if (options.max_initial_timestamp.value_or(0) != 0) {
    rules.max_initial_timestamp_index = static_cast<int>(
        std::nearbyint(*options.max_initial_timestamp / (chunk_length_s / n_audio_ctx)));
  }
  rules.repetition_penalty = options.repetition_penalty;
  rules.no_repeat_ngram_size = options.no_repeat_ngram_size;
  return rules;
}

std::vector<int> resolve_suppress_tokens(std::span<const int> wanted, const Tokenizer& tokenizer) {
  std::set<int> ids{tokenizer.transcribe(), tokenizer.translate(), tokenizer.sot(),
                    tokenizer.sot_prev(),   tokenizer.sot_lm(),    tokenizer.no_speech()};
  for (const int id : wanted) {
    if (id >= 0) ids.insert(id);
    if (id == -1) {
      ids.insert(tokenizer.non_speech_tokens().begin(), tokenizer.non_speech_tokens().end());
    }
  }
  ids.insert(tokenizer.unused().begin(), tokenizer.unused().end());
  return {ids.begin(), ids.end()};
}

}  // namespace engine
