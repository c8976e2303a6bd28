#include "engine/whisper/words/median_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace engine {
namespace {

using Row = std::vector<float>;

Row filtered(const Row& row) {
  Row out(row.size());
  median_filter(row, out);
  return out;
}

// The expected rows are of openai-whisper 20250625.
TEST(MedianFilter, MirrorsTheRowAtItsEnds) {
  EXPECT_EQ(filtered({-8, -9, 12, -14, -8, -16, -15, -9, 7, 3, -3, -14}),
            (Row{-9, -8, -9, -9, -9, -9, -9, -8, -9, -3, -3, 3}));
  EXPECT_EQ(filtered({-8, -9, 12, -14}), (Row{-9, -8, -9, -8}));
}

TEST(MedianFilter, LeavesARowThatIsTooShortToBeMirrored) {
  EXPECT_EQ(filtered({}), Row{});
  EXPECT_EQ(filtered({5}), Row{5});
  EXPECT_EQ(filtered({9, 1, 5}), (Row{9, 1, 5}));
}

TEST(MedianFilter, SortsEachWindowOfALongRow) {
  Row row;
  for (int i = 0; i < 300; ++i) row.push_back(static_cast<float>(i * i * 37 % 101));
  const Row out = filtered(row);
  const int n = static_cast<int>(row.size());
  for (int i = 0; i < n; ++i) {
    Row window;
    for (int k = i - 3; k <= i + 3; ++k) {
      const int place = k < n ? std::abs(k) : 2 * (n - 1) - k;
      window.push_back(row[static_cast<std::size_t>(place)]);
    }
    std::ranges::sort(window);
    ASSERT_EQ(out[static_cast<std::size_t>(i)], window[3]) << "at " << i;
  }
}

// A network that sorts all rows of zeros and ones sorts all rows.
TEST(MedianFilter, IsRightForEveryOrder) {
  for (int bits = 0; bits < 128; ++bits) {
    Row row;
    int ones = 0;
    for (int i = 0; i < 7; ++i) {
      const int one = bits >> i & 1;
      ones += one;
      row.push_back(static_cast<float>(one));
    }
    ASSERT_EQ(filtered(row)[3], ones > 3 ? 1 : 0) << bits;
  }
}

}  // namespace
}  // namespace engine
