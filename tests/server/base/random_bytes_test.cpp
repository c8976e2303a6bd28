#include "server/base/random_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace server {
namespace {

TEST(RandomBytes, FillsAllAndDiffersEachTime) {
  std::array<unsigned char, 256> one{}, other{};
  ASSERT_TRUE(fill_with_random(one));
  ASSERT_TRUE(fill_with_random(other));
  EXPECT_NE(one, other);
  // 32 bytes in a row that all stay zero do not come by chance.
  for (std::size_t begin = 0; begin < one.size(); begin += 32) {
    const auto part = std::span(one).subspan(begin, 32);
    EXPECT_TRUE(std::ranges::any_of(part, [](unsigned char byte) { return byte != 0; }));
  }
}

}  // namespace
}  // namespace server
