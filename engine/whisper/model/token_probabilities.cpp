#include "engine/whisper/model/token_probabilities.h"

#include <cmath>
#include <cstddef>

namespace engine {

std::vector<float> token_probabilities(const LogitRows& logits, std::span<const int> next,
                                       int n_text) {
  std::vector<float> probabilities;
  for (int row = 0; row < logits.n_rows; ++row) {
    const auto text = logits[row].first(static_cast<std::size_t>(n_text));
    const int token = next[static_cast<std::size_t>(row)];
    probabilities.push_back(
        token < n_text ? std::exp(log_softmax(text)(text[static_cast<std::size_t>(token)])) : 0);
  }
  return probabilities;
}

}  // namespace engine
