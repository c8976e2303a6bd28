#pragma once

#include <ATen/ATen.h>

#include <optional>
#include <span>
#include <vector>

#include "engine/whisper/choice/choice_options.h"
#include "engine/whisper/text/special_tokens.h"

namespace engine {

// Changes logits in place: by the rules against repetition (repetition.h) that are asked for, then
// by those of openai/whisper decoding.py: `SuppressBlank`, `SuppressTokens`, `ApplyTimestampRules`.
class LogitFilters {
 public:
  LogitFilters(const ChoiceOptions& options, const SpecialTokens& specials);

  // logits [rows, n_vocab] float32; sampled[row]: what was sampled so far, the same number for
  // every row.
  void apply(at::Tensor& logits, std::span<const std::vector<int>> sampled) const;

 private:
  void apply_repetition_rules(at::Tensor& logits, std::span<const std::vector<int>> sampled) const;
  void apply_timestamp_rules(at::Tensor& logits, std::span<const std::vector<int>> sampled) const;
  void mask_unpaired(at::Tensor row, std::span<const int> sampled) const;
  void prefer_likely_timestamps(at::Tensor& logits) const;

  double repetition_penalty_;
  int no_repeat_ngram_size_;
  std::vector<int> blank_;  // masked at the first position only; empty: nothing
  at::Tensor suppressed_;   // ids, int64
  bool timestamps_;
  std::optional<int> max_initial_timestamp_index_;
  int eot_;
  int no_timestamps_;
  int timestamp_begin_;
};

}  // namespace engine
