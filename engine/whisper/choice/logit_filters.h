#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/whisper/choice/choice_options.h"
#include "engine/whisper/choice/logit_row.h"
#include "engine/whisper/text/special_tokens.h"

namespace engine {

// Changes logits in place: by the rules against repetition (repetition.h) that are asked for, then
// by those of openai/whisper decoding.py: `SuppressBlank`, `SuppressTokens`, `ApplyTimestampRules`.
class LogitFilters {
 public:
  LogitFilters(const ChoiceOptions& options, const SpecialTokens& specials);

  //   sampled  of each row: what was sampled so far, the same number for every row
  void apply(const LogitRows& logits, std::span<const std::vector<int>> sampled) const;

 private:
  using Row = std::span<float>;

  void apply_to_row(Row row, const std::vector<int>& sampled) const;
  void apply_repetition_rules(Row row, std::span<const int> sampled) const;
  void apply_timestamp_rules(Row row, std::span<const int> sampled) const;
  void mask_unpaired(Row row, std::span<const int> sampled) const;
  void prefer_likely_timestamps(Row row) const;
  void mask_all_but_timestamps(Row row) const;

  double repetition_penalty_;
  int no_repeat_ngram_size_;
  std::vector<int> blank_;  // masked at the first position only; empty: nothing
  std::vector<int> suppressed_;
  bool timestamps_;
  std::optional<int> max_initial_timestamp_index_;
  SpecialTokens specials_;
};

}  // namespace engine
