#include "server/sessions/wrong_keys.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using std::chrono::seconds;

const WrongKeys::Clock::time_point start{std::chrono::hours(1)};

void try_often(WrongKeys& keys, const std::string& peer, int times = 5) {
  for (int i = 0; i < times; ++i) keys.count(peer, start);
}

TEST(WrongKeys, FiveMayComeAtOnceAndThenOneAfterTheOther) {
  WrongKeys keys;
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(keys.wait("192.0.2.1", start)) << i;
    keys.count("192.0.2.1", start);
  }
  EXPECT_EQ(keys.wait("192.0.2.1", start), seconds(12));
  EXPECT_EQ(keys.wait("192.0.2.1", start + seconds(11)), seconds(1));
  EXPECT_FALSE(keys.wait("192.0.2.1", start + seconds(12)));
  keys.count("192.0.2.1", start + seconds(12));
  EXPECT_EQ(keys.wait("192.0.2.1", start + seconds(12)), seconds(12));
  EXPECT_FALSE(keys.wait("192.0.2.1", start + seconds(600)));
}

TEST(WrongKeys, CountsEachAddressByItselfAndANetworkOfIPv6AsOne) {
  WrongKeys keys;
  try_often(keys, "192.0.2.1");
  EXPECT_FALSE(keys.wait("192.0.2.2", start));
  try_often(keys, "2001:db8::1");
  EXPECT_TRUE(keys.wait("2001:db8::ffff", start));
  EXPECT_FALSE(keys.wait("2001:db8:0:1::1", start));
  try_often(keys, "unix:1000");
  EXPECT_TRUE(keys.wait("unix:1000", start));
  EXPECT_FALSE(keys.wait("unix:1001", start));
}

TEST(WrongKeys, RemembersSoManyAddressesAtMost) {
  WrongKeys keys;
  try_often(keys, "192.0.2.1");
  for (std::size_t i = 0; i < WrongKeys::most_addresses; ++i) {
    keys.count("unix:" + std::to_string(i), start + seconds(1));
  }
  EXPECT_FALSE(keys.wait("192.0.2.1", start + seconds(1))) << "the oldest is forgotten";
}

}  // namespace
}  // namespace server
