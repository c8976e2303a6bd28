#include "engine/words/median_filter.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace engine {
namespace {

// Windows that go through the same comparisons together.
constexpr std::size_t block = 64;
using Lane = std::array<float, block>;

std::vector<float> mirrored(std::span<const float> row, std::size_t margin) {
  std::vector<float> padded;
  padded.reserve(row.size() + 2 * margin);
  for (std::size_t i = margin; i > 0; --i) padded.push_back(row[i]);
  padded.insert(padded.end(), row.begin(), row.end());
  for (std::size_t i = 1; i <= margin; ++i) padded.push_back(row[row.size() - 1 - i]);
  return padded;
}

// The copies cannot overlap what is written, without which no compiler does several at once.
void sort_pairs(Lane& low, Lane& high) {
  const Lane a = low;
  const Lane b = high;
  for (std::size_t i = 0; i < block; ++i) low[i] = b[i] < a[i] ? b[i] : a[i];
  for (std::size_t i = 0; i < block; ++i) high[i] = a[i] < b[i] ? b[i] : a[i];
}

// Medians of the windows of lanes.size() values that begin at padded[0], padded[1], …, one for each
// place in `out`, which are at most `block` many. Lane i starts as the windows' i-th values; each
// pass leaves the least of what remains in the next lane, until the middle one is reached.
void median_of_block(std::span<const float> padded, std::span<Lane> lanes, std::span<float> out) {
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    std::ranges::copy(padded.subspan(i, out.size()), lanes[i].begin());
  }
  const std::size_t middle = lanes.size() / 2;
  for (std::size_t least = 0; least <= middle; ++least) {
    for (std::size_t other = least + 1; other < lanes.size(); ++other) {
      sort_pairs(lanes[least], lanes[other]);
    }
  }
  std::copy_n(lanes[middle].begin(), out.size(), out.begin());
}

}  // namespace

void median_filter(std::span<const float> row, int width, std::span<float> out) {
  const auto n = static_cast<std::size_t>(width);
  const std::size_t margin = n / 2;
  if (row.size() <= margin) {
    std::ranges::copy(row, out.begin());
    return;
  }
  const std::vector<float> padded = mirrored(row, margin);
  std::vector<Lane> lanes(n);
  for (std::size_t begin = 0; begin < row.size(); begin += block) {
    const std::size_t count = std::min(block, row.size() - begin);
    median_of_block(std::span(padded).subspan(begin), lanes, out.subspan(begin, count));
  }
}

}  // namespace engine
