#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "engine/whisper/choice/logit_row.h"
#include "engine/whisper/choice/token_chooser.h"

namespace engine {

// Logits of some rows, in memory of their own.
class Rows {
 public:
  Rows(int n_rows, std::vector<float> numbers) : n_rows_(n_rows), numbers_(std::move(numbers)) {}

  operator LogitRows() {  // NOLINT(google-explicit-constructor): to be handed over as they are
    return {numbers_.data(), n_rows_, static_cast<int>(numbers_.size()) / n_rows_};
  }
  std::span<float> operator[](int row) { return LogitRows(*this)[row]; }

 private:
  int n_rows_;
  std::vector<float> numbers_;
};

inline Rows rows(const std::vector<std::vector<float>>& values) {
  std::vector<float> all;
  for (const auto& row : values) all.insert(all.end(), row.begin(), row.end());
  return {static_cast<int>(values.size()), std::move(all)};
}

// Returns rows whose numbers are all the same.
inline Rows equal_rows(int n_rows, int n_vocab, float number = 0) {
  return {n_rows, std::vector<float>(static_cast<std::size_t>(n_rows * n_vocab), number)};
}

// Returns logits whose softmax is `probabilities`.
inline Rows log_rows(std::vector<std::vector<float>> probabilities) {
  for (auto& row : probabilities) {
    for (float& number : row) number = std::log(number);
  }
  return rows(probabilities);
}

inline StepOutcome chosen(TokenChooser& chooser, Rows logits, int position = 0) {
  StepOutcome outcome;
  chooser.choose(logits, position, outcome);
  return outcome;
}

inline std::vector<int> tokens_of(const StepOutcome& outcome) {
  std::vector<int> tokens;
  for (const ChosenToken& row : outcome.rows) tokens.push_back(row.token);
  return tokens;
}

inline std::vector<int> sources_of(const StepOutcome& outcome) {
  std::vector<int> sources;
  for (const ChosenToken& row : outcome.rows) sources.push_back(row.source);
  return sources;
}

}  // namespace engine
