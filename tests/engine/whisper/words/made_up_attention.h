#pragma once

#include <cstdlib>
#include <vector>

namespace engine {

// Attention [heads][tokens][positions] of a decoder that looks at positions 2t - 1 to 2t + 1 while
// token t is fed, and a little at all others. A row sums to 1.
inline std::vector<float> made_up_attention(int heads, int tokens, int positions) {
  std::vector<float> weights;
  for (int h = 0; h < heads; ++h) {
    for (int t = 0; t < tokens; ++t) {
      std::vector<int> row;
      int sum = 0;
      for (int p = 0; p < positions; ++p) {
        const int peak = std::abs(p - 2 * t) <= 1 ? 60 : 0;
        row.push_back(1 + (h * 7 + t * 13 + p * 29 + t * p * 3) % 31 + peak);
        sum += row.back();
      }
      for (const int weight : row) {
        weights.push_back(static_cast<float>(weight) / static_cast<float>(sum));
      }
    }
  }
  return weights;
}

}  // namespace engine
