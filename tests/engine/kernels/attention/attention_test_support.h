#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "engine/kernels/attention/attention_layout.h"
#include "engine/kernels/attention/key_bias.h"

namespace engine::kernels {

inline std::vector<float> random_floats(std::size_t count, float deviation, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<float> normal(0.0F, deviation);
  std::vector<float> result(count);
  for (float& x : result) x = normal(generator);
  return result;
}

// softmax(q·Kᵀ + bias)·V of one query and one head in double precision; keys and values begin at
// their head, rows are `stride` apart. Returns the output, and the weights behind it where they are
// asked for.
inline std::vector<double> reference(const float* query, const float* keys, const float* values,
                                     int n_key, std::ptrdiff_t stride,
                                     std::vector<double>* weights = nullptr,
                                     const KeyBias& bias = {}) {
  std::vector<double> p(static_cast<std::size_t>(n_key));
  double maximum = -1e300;
  for (int k = 0; k < n_key; ++k) {
    double dot = 0;
    for (int i = 0; i < head_dim; ++i) {
      dot += static_cast<double>(query[i]) * static_cast<double>(keys[k * stride + i]);
    }
    const auto biased = static_cast<std::size_t>(std::max(0, k - bias.first));
    if (k >= bias.first && biased < bias.values.size()) dot += double{bias.values[biased]};
    p[static_cast<std::size_t>(k)] = dot;
    maximum = std::max(maximum, dot);
  }
  double sum = 0;
  for (double& x : p) sum += x = std::exp(x - maximum);
  std::vector<double> out(head_dim);
  for (int k = 0; k < n_key; ++k) {
    p[static_cast<std::size_t>(k)] /= sum;
    for (int i = 0; i < head_dim; ++i) {
      out[static_cast<std::size_t>(i)] +=
          p[static_cast<std::size_t>(k)] * static_cast<double>(values[k * stride + i]);
    }
  }
  if (weights != nullptr) *weights = p;
  return out;
}

// Keys that stand for 16 others each, the last one for 25.
inline std::vector<float> log_counts(int keys) {
  std::vector<float> logs(static_cast<std::size_t>(keys), std::log(16.0F));
  logs.back() = std::log(25.0F);
  return logs;
}

}  // namespace engine::kernels
