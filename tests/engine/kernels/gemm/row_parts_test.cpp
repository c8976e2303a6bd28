#include "engine/kernels/gemm/row_parts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace engine::kernels {
namespace {

TEST(EvenParts, AreFewAndDifferByOneRowAtMost) {
  constexpr int most = 6;
  for (int rows = 1; rows <= 50; ++rows) {
    int left = rows, parts = 0, smallest = most, largest = 0;
    while (left > 0) {
      const int part = even_part(left, most);
      smallest = std::min(smallest, part);
      largest = std::max(largest, part);
      left -= part;
      ++parts;
    }
    EXPECT_EQ(left, 0) << rows;
    EXPECT_EQ(parts, (rows + most - 1) / most) << rows;
    EXPECT_LE(largest, most) << rows;
    EXPECT_LE(largest - smallest, 1) << rows;
  }
}

TEST(EvenParts, OfNoRowsAreNone) {
  EXPECT_EQ(even_part(0, 6), 0);
}

TEST(EvenParts, OfOneRowAreRows) {
  EXPECT_EQ(even_part(3, 1), 1);
}

}  // namespace
}  // namespace engine::kernels
