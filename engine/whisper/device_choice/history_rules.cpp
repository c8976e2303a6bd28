#include "engine/whisper/device_choice/history_rules.h"

namespace engine {
namespace {

at::Tensor column(const at::Tensor& numbers) {
  return numbers.unsqueeze(1);
}

at::Tensor positions(const TextHistory& history) {
  return at::arange(history.tokens.size(1), history.tokens.options()).unsqueeze(0);
}

// Returns [rows, n_vocab] bool: the tokens at the positions for which `which` holds. Others are
// marked in a column beyond the vocabulary.
at::Tensor tokens_where(const at::Tensor& which, const TextHistory& history, std::int64_t n_vocab) {
  const at::Tensor marked = at::zeros({which.size(0), n_vocab + 1}, which.options());
  return marked.scatter(1, history.tokens.masked_fill(which.logical_not(), n_vocab), true)
      .narrow(1, 0, n_vocab);
}

}  // namespace

at::Tensor penalize_repetition(const at::Tensor& logits, const TextHistory& history) {
  const at::Tensor said =
      tokens_where(positions(history) < column(history.counts), history, logits.size(1));
  const at::Tensor penalty = column(history.penalties);
  const at::Tensor exact = logits.to(at::kDouble);
  const at::Tensor penalized = at::where(exact > 0, exact / penalty, exact * penalty);
  return at::where(said, penalized.to(at::kFloat), logits);
}

// An n-gram ends at each position; it is one of those where each of the tokens before that end is
// the one as far from the end of the text.
at::Tensor repeated_ngrams(const TextHistory& history, std::int64_t n_vocab) {
  const at::Tensor ends = positions(history);
  const at::Tensor before = column(history.sizes) - 1;
  at::Tensor repeats = (ends < column(history.counts)) & (ends >= before) & (before >= 0);
  for (int back = 1; back < history.longest; ++back) {
    const at::Tensor last = history.tokens.gather(1, column(history.counts - back).clamp_min(0));
    repeats = repeats & ((history.tokens.roll(back, 1) == last) | (before < back));
  }
  return tokens_where(repeats, history, n_vocab);
}

}  // namespace engine
