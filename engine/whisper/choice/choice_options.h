#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace engine {

// The rules by which the tokens of one decode are chosen, as plain numbers: whoever runs the model
// applies them, on the CPU (HostChooser) or where the logits are (DeviceChooser). They are those of
// openai/whisper decoding.py (`SuppressBlank`, `SuppressTokens`, `ApplyTimestampRules`,
// `GreedyDecoder`, `BeamSearchDecoder`) and the two against repetition (repetition.h).
struct ChoiceOptions {
  int n_rows = 1;               // beams, or sequences of their own
  bool beam_search = false;     // else each row takes its likeliest token, or a sample
  double temperature = 0;       // of the samples; 0: the likeliest
  std::uint64_t seed = 0;       // of the samples
  std::vector<int> suppress{};  // never chosen, ascending
  std::vector<int> blank{};     // not chosen at the first position
  bool timestamps = true;       // their rules apply
  std::optional<int> max_initial_timestamp_index{};  // the last one that may come first; unset: any
  double repetition_penalty = 1;                     // 1: none
  int no_repeat_ngram_size = 0;                      // 0: no rule
};

}  // namespace engine
