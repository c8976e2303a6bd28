#include "engine/whisper/decoding/sequences.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace engine {

Sequences::Sequences(int n_rows, int eot, std::size_t most_finished)
    : eot_(eot), most_finished_(most_finished), rows_(static_cast<std::size_t>(n_rows)) {}

bool Sequences::add(const StepOutcome& outcome) {
  for (const EndedBeam& ended : outcome.ended) {
    if (finished_.size() == most_finished_) break;
    finished_.push_back(rows_[static_cast<std::size_t>(ended.source)]);
    finished_.back().sum_logprob = ended.sum_logprob;
  }
  if (most_finished_ > 0) go_on_from_sources(outcome);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i].tokens.push_back(outcome.rows[i].token);
    rows_[i].logprobs.push_back(outcome.rows[i].logprob);
    rows_[i].sum_logprob = outcome.rows[i].sum_logprob;
  }
  if (most_finished_ > 0) return finished_.size() == most_finished_;
  return std::ranges::all_of(rows_, [&](const auto& row) { return row.tokens.back() == eot_; });
}

void Sequences::go_on_from_sources(const StepOutcome& outcome) {
  std::vector<Hypothesis> rows;
  for (const ChosenToken& row : outcome.rows) {
    rows.push_back(rows_[static_cast<std::size_t>(row.source)]);
  }
  rows_ = std::move(rows);
}

std::vector<Hypothesis> Sequences::finalize() const {
  std::vector<Hypothesis> hypotheses = finished_;
  if (most_finished_ == 0) {
    for (const Hypothesis& row : rows_) hypotheses.push_back(without_eot(row));
    return hypotheses;
  }
  std::vector<Hypothesis> live = rows_;
  std::ranges::stable_sort(live, std::greater{}, &Hypothesis::sum_logprob);
  for (Hypothesis& row : live) {
    if (hypotheses.size() >= rows_.size()) break;
    hypotheses.push_back(std::move(row));
  }
  return hypotheses;
}

Hypothesis Sequences::without_eot(Hypothesis row) const {
  row.tokens.erase(std::ranges::find(row.tokens, eot_), row.tokens.end());
  row.logprobs.resize(row.tokens.size());
  return row;
}

std::size_t rank(const std::vector<Hypothesis>& hypotheses, std::optional<double> length_penalty) {
  const auto score = [&](const Hypothesis& hypothesis) {
    const double length = std::max<double>(1, static_cast<double>(hypothesis.tokens.size()));
    return hypothesis.sum_logprob /
           (length_penalty ? std::pow((5 + length) / 6, *length_penalty) : length);
  };
  std::size_t best = 0;
  for (std::size_t i = 1; i < hypotheses.size(); ++i) {
    if (score(hypotheses[i]) > score(hypotheses[best])) best = i;
  }
  return best;
}

}  // namespace engine
