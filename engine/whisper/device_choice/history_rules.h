#pragma once

#include <ATen/ATen.h>

namespace engine {

// The text of each row so far, and its rules against repetition, on the device (repetition.h has
// the same on the host).
struct TextHistory {
  at::Tensor tokens;     // [rows, n_text_ctx] int64: text alone, the rest is anything
  at::Tensor counts;     // [rows] int64: of text tokens
  at::Tensor penalties;  // [rows] float64; 1: none
  at::Tensor sizes;      // [rows] int64: n-grams that occur once only; 0: no rule
  int longest = 0;       // at least the largest of `sizes`
};

// Returns the logits [rows, n_vocab] with tokens of the text made less likely.
at::Tensor penalize_repetition(const at::Tensor& logits, const TextHistory& history);

// Returns which tokens [rows, n_vocab] would complete an n-gram that the text already has.
at::Tensor repeated_ngrams(const TextHistory& history, std::int64_t n_vocab);

}  // namespace engine
