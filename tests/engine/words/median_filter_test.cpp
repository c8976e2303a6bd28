#include "engine/words/median_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace engine {
namespace {

using Row = std::vector<float>;

Row filtered(const Row& row, int width) {
  Row out(row.size());
  median_filter(row, width, out);
  return out;
}

// The expected rows are of openai-whisper 20250625.
TEST(MedianFilter, MirrorsTheRowAtItsEnds) {
  EXPECT_EQ(filtered({-8, -9, 12, -14, -8, -16, -15, -9, 7, 3, -3, -14}, 7),
            (Row{-9, -8, -9, -9, -9, -9, -9, -8, -9, -3, -3, 3}));
  EXPECT_EQ(filtered({-8, -9, 12, -14}, 7), (Row{-9, -8, -9, -8}));
}

TEST(MedianFilter, LeavesARowThatIsTooShortToBeMirrored) {
  EXPECT_EQ(filtered({}, 7), Row{});
  EXPECT_EQ(filtered({5}, 7), Row{5});
  EXPECT_EQ(filtered({9, 1, 5}, 7), (Row{9, 1, 5}));
}

TEST(MedianFilter, OfWidthOneChangesNothing) {
  EXPECT_EQ(filtered({3, 1, 2}, 1), (Row{3, 1, 2}));
}

TEST(MedianFilter, SortsEachWindowOfALongRow) {
  Row row;
  for (int i = 0; i < 300; ++i) row.push_back(static_cast<float>(i * i * 37 % 101));
  for (const int width : {3, 7, 11}) {
    const Row out = filtered(row, width);
    const int n = static_cast<int>(row.size());
    for (int i = 0; i < n; ++i) {
      Row window;
      for (int k = i - width / 2; k <= i + width / 2; ++k) {
        const int place = k < n ? std::abs(k) : 2 * (n - 1) - k;
        window.push_back(row[static_cast<std::size_t>(place)]);
      }
      std::ranges::sort(window);
      ASSERT_EQ(out[static_cast<std::size_t>(i)], window[window.size() / 2])
          << "at " << i << ", width " << width;
    }
  }
}

}  // namespace
}  // namespace engine
