#include "engine/whisper/words/median_filter.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace engine {
namespace {

constexpr std::size_t margin = 3;

std::vector<float> mirrored(std::span<const float> row) {
  std::vector<float> padded;
  padded.reserve(row.size() + 2 * margin);
  for (std::size_t i = margin; i > 0; --i) padded.push_back(row[i]);
  padded.insert(padded.end(), row.begin(), row.end());
  for (std::size_t i = 1; i <= margin; ++i) padded.push_back(row[row.size() - 1 - i]);
  return padded;
}

// These have no jump, so that compilers do several at once.
inline void sort(float& low, float& high) {
  const float a = low;
  const float b = high;
  low = b < a ? b : a;
  high = b < a ? a : b;
}

// Computes the median by the least network that leaves it in the middle (N. Devillard, Fast median
// search).
inline float median_of_seven(float a, float b, float c, float d, float e, float f, float g) {
  sort(a, f);
  sort(a, d);
  sort(b, g);
  sort(c, e);
  sort(a, b);
  sort(d, f);
  sort(c, g);
  sort(c, d);
  sort(d, g);
  sort(e, f);
  sort(b, e);
  sort(b, d);
  sort(d, e);
  return d;
}

}  // namespace

void median_filter(std::span<const float> row, std::span<float> out) {
  if (row.size() <= margin) {
    std::ranges::copy(row, out.begin());
    return;
  }
  const std::vector<float> padded = mirrored(row);
  const float* p = padded.data();
  for (float& value : out) {
    value = median_of_seven(p[0], p[1], p[2], p[3], p[4], p[5], p[6]);
    ++p;
  }
}

}  // namespace engine
