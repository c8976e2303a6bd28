#include "engine/kernels/float16.h"

#include <gtest/gtest.h>

#include <cmath>

namespace engine::kernels {
namespace {

// Returns the number that the bits stand for, by IEEE 754.
float number_of(int bits) {
  const int exponent = bits >> 10 & 31;
  const int digits = (bits & 1023) + (exponent == 0 ? 0 : 1024);
  const float size =
      std::ldexp(static_cast<float>(digits), (exponent == 0 ? 1 : exponent) - 15 - 10);
  return (bits & 0x8000) != 0 ? -size : size;
}

TEST(Float16, HasItsOwnNumbers) {
  for (int bits = 0; bits < 0x10000; ++bits) {
    if ((bits >> 10 & 31) == 31) continue;  // infinity, or no number
    ASSERT_EQ(to_float16(number_of(bits)), bits);
  }
}

TEST(Float16, OfOtherNumbersHasTheNextTowardsZero) {
  for (const int bits : {0x0000, 0x0001, 0x03FF, 0x0400, 0x3C00, 0x7BFE}) {
    const float between = (number_of(bits) + number_of(bits + 1)) / 2;
    EXPECT_EQ(to_float16(between), bits);
    EXPECT_EQ(to_float16(-between), bits | 0x8000);
  }
}

}  // namespace
}  // namespace engine::kernels
