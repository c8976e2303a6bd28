#pragma once

#include <span>
#include <vector>

#include "engine/whisper/text/special_tokens.h"

namespace engine {

// Returns what is sampled without timestamps and other special tokens, which repeat in any text.
std::vector<int> text_tokens(std::span<const int> sampled, const SpecialTokens& specials);

// Makes tokens of `text` less likely: their logit is divided by the penalty where it is positive,
// and multiplied by it elsewhere, once however often they occur. CTRL, arXiv 1909.05858;
// CTranslate2 decoding_utils.cc `RepetitionPenalty`.
//   logits  [n_vocab]
void penalize_repetition(std::span<float> logits, std::span<const int> text, double penalty);

// Masks every token that would complete `size` tokens in a row which `text` already has.
// CTranslate2 decoding_utils.cc `NoRepeatNgram`.
//   logits  [n_vocab]
void forbid_repeated_ngrams(std::span<float> logits, std::span<const int> text, int size);

// Returns whether `text` ends in a loop: the same 1 to 30 tokens at least three times in a row, 32
// tokens in all. It hears what the compression ratio misses: a loop behind other text, and loops of
// scripts that need several bytes a character, which deflate badly. So long because speakers, too,
// say a short sentence three times.
bool ends_in_loop(std::span<const int> text);

// Returns whether the loop has gone on for so long (six times, 64 tokens) that the decoder will not
// leave it.
bool is_caught_in_loop(std::span<const int> text);

}  // namespace engine
