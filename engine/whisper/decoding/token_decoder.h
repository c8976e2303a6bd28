#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace engine {

// A sequence that may become the result.
struct Hypothesis {
  std::vector<int> tokens;  // sampled, without eot
  double sum_logprob = 0;
  std::vector<float> logprobs{};  // one for each token
};

// Chooses the next token of every row from its filtered logits, and keeps the sequences.
// openai/whisper decoding.py `TokenDecoder`.
class TokenDecoder {
 public:
  virtual ~TokenDecoder() = default;

  // logits [rows, n_vocab] float32, filtered. True when no more tokens are needed.
  virtual bool update(const at::Tensor& logits) = 0;
  // The finished sequences, and live ones where too few are finished.
  virtual std::vector<Hypothesis> finalize() = 0;

  // Returns what was sampled so far, by row.
  const std::vector<std::vector<int>>& sampled() const { return sampled_; }
  // Returns which row each row's history comes from, for the caches; empty while every row keeps
  // its own.
  const std::vector<int>& source_rows() const { return source_rows_; }

 protected:
  explicit TokenDecoder(int n_rows) : sampled_(static_cast<std::size_t>(n_rows)) {}

  std::vector<std::vector<int>> sampled_;
  std::vector<int> source_rows_;
};

// Takes the likeliest token at temperature 0; above it, a sample. Each row is a sequence of its
// own. The same seed gives the same samples on the same device.
std::unique_ptr<TokenDecoder> make_greedy(int n_rows, double temperature, int eot,
                                          std::uint64_t seed);

// Searches with beams and stops when round(beam_size · patience) sequences have ended.
std::unique_ptr<TokenDecoder> make_beam_search(int beam_size, double patience, int eot);

// Returns the index of the hypothesis with the highest score: sum_logprob over the length, or over
// ((5 + length) / 6)^length_penalty. `MaximumLikelihoodRanker`.
std::size_t rank(const std::vector<Hypothesis>& hypotheses, std::optional<double> length_penalty);

}  // namespace engine
