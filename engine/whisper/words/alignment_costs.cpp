#include "engine/whisper/words/alignment_costs.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "engine/whisper/words/median_filter.h"

namespace engine {
namespace {

void require_shapes(const AlignmentAttention& attention, int first_row, int rows, int used) {
  const bool counts = attention.heads > 0 && attention.tokens > 0 && attention.positions > 0;
  if (!counts || attention.weights.size() != static_cast<std::size_t>(attention.heads) *
                                                 static_cast<std::size_t>(attention.tokens) *
                                                 static_cast<std::size_t>(attention.positions)) {
    throw std::invalid_argument("[alignment] the attention is not heads x tokens x positions");
  }
  if (first_row < 0 || rows < 0 || first_row > attention.tokens - rows) {
    throw std::invalid_argument("[alignment] the attention has too few tokens");
  }
  if (used < 0 || used > attention.positions) {
    throw std::invalid_argument("[alignment] the attention has too few positions");
  }
}

double sum(std::span<const float> row) {
  return std::accumulate(row.begin(), row.end(), 0.0);
}

// Returns the weights of one head, [tokens][used].
std::span<const float> weights_of(const AlignmentAttention& attention, std::size_t head,
                                  std::size_t used, std::vector<float>& cropped) {
  const auto tokens = static_cast<std::size_t>(attention.tokens);
  const auto positions = static_cast<std::size_t>(attention.positions);
  const auto whole = attention.weights.subspan(head * tokens * positions, tokens * positions);
  if (used == positions) return whole;
  cropped.resize(tokens * used);
  for (std::size_t token = 0; token < tokens; ++token) {
    const auto row = whole.subspan(token * positions, used);
    const double total = sum(row);
    const double scale = total > 0 ? 1 / total : 1;
    std::ranges::transform(row, &cropped[token * used],
                           [&](float weight) { return static_cast<float>(weight * scale); });
  }
  return cropped;
}

// These make the weights at a position comparable to those at others: their mean over the tokens,
// and one through their deviation, the population's.
struct Moments {
  std::vector<float> mean;
  std::vector<float> inverse;  // 0 where all tokens attend equally
};

Moments moments_over_tokens(std::span<const float> weights, std::size_t used) {
  const std::size_t tokens = weights.size() / used;
  // The sums are in double precision, where equal numbers have a mean that is equal to them.
  std::vector<double> mean(used);
  std::vector<double> variance(used);
  for (std::size_t token = 0; token < tokens; ++token) {
    const float* row = &weights[token * used];
    for (std::size_t i = 0; i < used; ++i) mean[i] += row[i];
  }
  for (double& value : mean) value /= static_cast<double>(tokens);
  for (std::size_t token = 0; token < tokens; ++token) {
    const float* row = &weights[token * used];
    for (std::size_t i = 0; i < used; ++i) {
      const double difference = row[i] - mean[i];
      variance[i] += difference * difference;
    }
  }
  Moments moments{std::vector<float>(mean.begin(), mean.end()), std::vector<float>(used)};
  for (std::size_t i = 0; i < used; ++i) {
    const auto deviation = static_cast<float>(std::sqrt(variance[i] / static_cast<double>(tokens)));
    moments.inverse[i] = deviation > 0 ? 1 / deviation : 0;
  }
  return moments;
}

}  // namespace

std::vector<float> alignment_costs(const AlignmentAttention& attention, int first_row, int rows,
                                   int used) {
  require_shapes(attention, first_row, rows, used);
  const auto n = static_cast<std::size_t>(used);
  std::vector<float> costs(static_cast<std::size_t>(rows) * n);
  if (costs.empty()) return costs;

  std::vector<float> cropped;
  std::vector<float> standard(n);
  std::vector<float> smooth(n);
  for (std::size_t head = 0; head < static_cast<std::size_t>(attention.heads); ++head) {
    const std::span<const float> weights = weights_of(attention, head, n, cropped);
    const Moments moments = moments_over_tokens(weights, n);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
      const float* weight = &weights[(static_cast<std::size_t>(first_row) + row) * n];
      for (std::size_t i = 0; i < n; ++i) {
        standard[i] = (weight[i] - moments.mean[i]) * moments.inverse[i];
      }
      median_filter(standard, smooth);
      for (std::size_t i = 0; i < n; ++i) costs[row * n + i] -= smooth[i];
    }
  }
  for (float& cost : costs) cost /= static_cast<float>(attention.heads);
  return costs;
}

}  // namespace engine
