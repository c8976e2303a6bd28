#pragma once

#include <ATen/ATen.h>

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

  // Chooses the first token of every row.
  //   after_sot, after_last  [n_vocab] float32: after these tokens of the prompt
  StepOutcome choose_first(const at::Tensor& after_sot, const at::Tensor& after_last);
  // logits  [n_rows, n_vocab] float32, which are changed in place
  StepOutcome choose(at::Tensor logits);

  // Returns what each row took last.
  std::vector<int> next_tokens() const;
  // Returns whose history each row continues, for the caches; empty while every row keeps its own.
  std::span<const int> source_rows() const { return source_rows_; }

 private:
  void keep(const StepOutcome& outcome);

  LogitFilters filters_;
  std::unique_ptr<TokenChooser> chooser_;
  bool beam_search_;
  int no_speech_;
  std::vector<std::vector<int>> sampled_;  // by row
  std::vector<int> source_rows_;
};

}  // namespace engine
