#pragma once

#include <ATen/ATen.h>

#include <span>

namespace engine {

// Returns how likely each next token is among the text tokens alone, as openai/whisper's timing.py
// `find_alignment` rates words; 0 for one that is no text.
//   logits  [n, n_vocab] float32, on the CPU
//   next    n ids
//   n_text  ids below it are text
//   returns [n] float32
at::Tensor token_probabilities(const at::Tensor& logits, std::span<const int> next, int n_text);

}  // namespace engine
