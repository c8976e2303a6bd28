#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/whisper/choice/logit_filters.h"
#include "engine/whisper/choice/token_chooser.h"

namespace engine {

// Chooses the tokens of one decode on the CPU, from logits that are there: LogitFilters, then
// greedy search, samples or beams.
class HostChooser {
 public:
  HostChooser(const ChoiceOptions& options, const SpecialTokens& specials);

  int n_rows() const { return static_cast<int>(sampled_.size()); }

  // Chooses the first token of every row. Throws std::bad_alloc if there is no memory for the rows'
  // logits; it may be called again then.
  //   after_sot, after_last  [n_vocab]: the logits after these tokens of the prompt
  //   position               of its last token
  StepOutcome choose_first(std::span<const float> after_sot, std::span<const float> after_last,
                           int position);
  // The outcome says so if the choice itself lacks memory; the chooser is of no use then.
  //   logits  of n_rows rows, which are changed in place
  StepOutcome choose(const LogitRows& logits);

  // Returns what each row took last.
  std::vector<int> next_tokens() const;
  // Returns whose history each row continues, for the caches; empty while every row keeps its own.
  std::span<const int> source_rows() const { return source_rows_; }

 private:
  StepOutcome choose_and_keep(const LogitRows& logits);
  void keep(const StepOutcome& outcome);

  LogitFilters filters_;
  std::unique_ptr<TokenChooser> chooser_;
  bool beam_search_;
  int no_speech_;
  int position_ = 0;                       // of the token that each row read last
  std::vector<std::vector<int>> sampled_;  // by row
  std::vector<int> source_rows_;
};

}  // namespace engine
