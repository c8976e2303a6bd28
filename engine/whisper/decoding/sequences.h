#pragma once

#include <optional>
#include <vector>

#include "engine/whisper/choice/step_outcome.h"

namespace engine {

// A sequence that may become the result.
struct Hypothesis {
  std::vector<int> tokens;  // sampled, without eot
  double sum_logprob = 0;
  std::vector<float> logprobs{};  // one for each token
};

// Keeps the sequences of one decode, from what each step chose for it.
class Sequences {
 public:
  // Those of a beam search are complete when `most_finished` have ended; others (0), when each row
  // has. openai/whisper decoding.py `BeamSearchDecoder`, `GreedyDecoder`.
  Sequences(int n_rows, int eot, std::size_t most_finished);

  // Returns true when no more tokens are needed.
  bool add(const StepOutcome& outcome);
  // Returns the finished sequences, and live ones where too few beams are finished.
  std::vector<Hypothesis> finalize() const;

  int length() const { return static_cast<int>(rows_[0].tokens.size()); }
  // Returns what each row sampled so far, eot included.
  const std::vector<Hypothesis>& rows() const { return rows_; }

 private:
  void go_on_from_sources(const StepOutcome& outcome);
  Hypothesis without_eot(Hypothesis row) const;

  int eot_;
  std::size_t most_finished_;
  std::vector<Hypothesis> rows_;
  std::vector<Hypothesis> finished_;
};

// Returns the index of the hypothesis with the highest score: sum_logprob over the length, or over
// ((5 + length) / 6)^length_penalty. `MaximumLikelihoodRanker`.
std::size_t rank(const std::vector<Hypothesis>& hypotheses, std::optional<double> length_penalty);

}  // namespace engine
