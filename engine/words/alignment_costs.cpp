#include "engine/words/alignment_costs.h"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "engine/words/median_filter.h"

namespace engine {
namespace {

constexpr int median_width = 7;

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

// The weights [tokens][used] of one head, each row summing to 1.
std::vector<float> crop(const AlignmentAttention& attention, std::size_t head, std::size_t used) {
  const auto tokens = static_cast<std::size_t>(attention.tokens);
  const auto positions = static_cast<std::size_t>(attention.positions);
  std::vector<float> cropped;
  cropped.reserve(tokens * used);
  for (std::size_t token = 0; token < tokens; ++token) {
    const auto row = attention.weights.subspan((head * tokens + token) * positions, used);
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    for (const float weight : row) {
      // Whole rows are left to the bit as they came.
      const bool whole = used == positions || sum <= 0;
      cropped.push_back(whole ? weight : static_cast<float>(weight / sum));
    }
  }
  return cropped;
}

struct Moments {
  std::vector<float> mean;
  std::vector<float> deviation;
};

// Over the tokens, for each position; the deviation is the population's.
Moments moments_over_tokens(std::span<const float> weights, std::size_t tokens, std::size_t used) {
  std::vector<double> mean(used);
  std::vector<double> variance(used);
  for (std::size_t token = 0; token < tokens; ++token) {
    const auto row = weights.subspan(token * used, used);
    for (std::size_t i = 0; i < used; ++i) mean[i] += row[i];
  }
  for (double& value : mean) value /= static_cast<double>(tokens);
  for (std::size_t token = 0; token < tokens; ++token) {
    const auto row = weights.subspan(token * used, used);
    for (std::size_t i = 0; i < used; ++i) {
      const double difference = row[i] - mean[i];
      variance[i] += difference * difference;
    }
  }
  Moments moments;
  for (std::size_t i = 0; i < used; ++i) {
    moments.mean.push_back(static_cast<float>(mean[i]));
    moments.deviation.push_back(
        static_cast<float>(std::sqrt(variance[i] / static_cast<double>(tokens))));
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

  std::vector<float> standard(n);
  std::vector<float> smooth(n);
  for (int head = 0; head < attention.heads; ++head) {
    const std::vector<float> weights = crop(attention, static_cast<std::size_t>(head), n);
    const Moments moments =
        moments_over_tokens(weights, static_cast<std::size_t>(attention.tokens), n);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
      const float* weight = &weights[(static_cast<std::size_t>(first_row) + row) * n];
      for (std::size_t i = 0; i < n; ++i) {
        const float deviation = moments.deviation[i];
        standard[i] = deviation > 0 ? (weight[i] - moments.mean[i]) / deviation : 0;
      }
      median_filter(standard, median_width, smooth);
      for (std::size_t i = 0; i < n; ++i) costs[row * n + i] -= smooth[i];
    }
  }
  for (float& cost : costs) cost /= static_cast<float>(attention.heads);
  return costs;
}

}  // namespace engine
