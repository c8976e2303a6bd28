#include "server/process/decoder_turns.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using namespace std::chrono_literals;
using Places = std::vector<std::size_t>;

TEST(DecodersToGiveWay, AreAllLongOnesOfAnOwnerButTwo) {
  EXPECT_EQ(decoders_to_give_way({}), Places());
  EXPECT_EQ(decoders_to_give_way({{"bob", 9s}, {"bob", 8s}, {"bob", 1s}, {"bob", 2s}, {"bob", 3s}}),
            Places({3, 4}));
}

TEST(DecodersToGiveWay, AreOfEachOwnerByItself) {
  EXPECT_EQ(decoders_to_give_way({{"bob", 9s}, {"eve", 9s}, {"bob", 9s}, {"eve", 9s}, {"bob", 9s}}),
            Places({4}));
}

TEST(DecodersToGiveWay, AreNotThoseThatDoSoAlready) {
  EXPECT_EQ(decoders_to_give_way({{"bob", 9s, true}, {"bob", 9s}, {"bob", 9s}, {"bob", 9s}}),
            Places({3}));
}

}  // namespace
}  // namespace server
