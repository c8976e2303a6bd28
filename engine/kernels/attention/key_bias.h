#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace engine::kernels {

// A bias is added to the scores of some keys before the softmax: values[i] to the score of key
// first + i. The bias log(n) gives a key the weight of n equal keys. Keys outside of the range have
// no bias and cost nothing.
struct KeyBias {
  int first = 0;
  std::span<const float> values{};
};

// Adds the bias to the scores [rows, keys] of the keys [begin, begin + keys).
//   stride  from one row of scores to the next
inline void add_bias(const KeyBias& bias, int begin, int keys, int rows, float* scores,
                     std::ptrdiff_t stride) {
  const int first = std::max(begin, bias.first);
  const int end = std::min(begin + keys, bias.first + static_cast<int>(bias.values.size()));
  if (first >= end) return;
  const float* values = bias.values.data() + (first - bias.first);
  for (int r = 0; r < rows; ++r) {
    float* row = scores + r * stride + (first - begin);
    for (int i = 0; i < end - first; ++i) row[i] += values[i];
  }
}

}  // namespace engine::kernels
