#include "engine/whisper/cpu/checksum.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace engine::cpu {
namespace {

std::uint64_t sum_of(const std::string& text) {
  return checksum(std::as_bytes(std::span(text)));
}

TEST(Checksum, IsXxh64) {
  EXPECT_EQ(sum_of(""), 0xEF46DB3751D8E999U);
  EXPECT_EQ(sum_of("a"), 0xD24EC4F1A98C6E5BU);
  EXPECT_EQ(sum_of("abc"), 0x44BC2CF5AD770999U);
  EXPECT_EQ(sum_of("Call me Ishmael. Some years ago--never mind how long precisely-"),
            0x02A2E85470D6FD96U);
}

TEST(Checksum, TellsApartBlocksThatDifferInAnyBit) {
  for (const std::size_t length : {7U, 31U, 32U, 64U, 100U}) {
    std::set<std::uint64_t> sums{sum_of(std::string(length, 'x'))};
    for (std::size_t at = 0; at < length; ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string changed(length, 'x');
        changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
        sums.insert(sum_of(changed));
      }
    }
    EXPECT_EQ(sums.size(), length * 8 + 1);
  }
}

// The highest bits of two words would cancel out in a plain sum.
TEST(Checksum, TellsApartBlocksThatDifferInTwoWords) {
  std::string one(64, '\0');
  std::string both = one;
  both[7] = both[39] = '\x80';
  EXPECT_NE(sum_of(one), sum_of(both));
}

}  // namespace
}  // namespace engine::cpu
