#pragma once

#include <ATen/ATen.h>

#include <vector>

#include "engine/whisper/choice/token_chooser.h"

namespace engine {

inline at::Tensor rows(const std::vector<std::vector<float>>& values) {
  std::vector<at::Tensor> tensors;
  for (const auto& row : values) tensors.push_back(at::tensor(row));
  return at::stack(tensors);
}

// Returns logits whose softmax is `probabilities`.
inline at::Tensor log_rows(const std::vector<std::vector<float>>& probabilities) {
  return at::log(rows(probabilities));
}

inline StepOutcome chosen(TokenChooser& chooser, const at::Tensor& logits) {
  StepOutcome outcome;
  chooser.choose(logits, outcome);
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
