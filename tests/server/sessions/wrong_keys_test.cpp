#include "server/sessions/wrong_keys.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

const WrongKeys::Clock::time_point start{std::chrono::hours(1)};

KeyHash key(int number) {
  return hash_of_key("guess " + std::to_string(number));
}

void try_often(WrongKeys& keys, const std::string& peer, int times = 5,
               WrongKeys::Clock::time_point now = start) {
  for (int i = 0; i < times; ++i) keys.note_wrong(peer, key(i), now);
}

TEST(WrongKeys, FiveMayComeAtOnceAndThenOneAfterTheOther) {
  WrongKeys keys;
  for (int i = 0; i < 5; ++i) {
    EXPECT_FALSE(keys.wait("192.0.2.1", key(i), start)) << i;
    keys.note_wrong("192.0.2.1", key(i), start);
  }
  EXPECT_EQ(keys.wait("192.0.2.1", key(9), start), seconds(12));
  EXPECT_EQ(keys.wait("192.0.2.1", key(9), start + seconds(11)), seconds(1));
  EXPECT_FALSE(keys.wait("192.0.2.1", key(9), start + seconds(12)));
  keys.note_wrong("192.0.2.1", key(9), start + seconds(12));
  EXPECT_EQ(keys.wait("192.0.2.1", key(10), start + seconds(12)), seconds(12));
  EXPECT_FALSE(keys.wait("192.0.2.1", key(10), start + seconds(600)));
}

TEST(WrongKeys, CountsEachAddressByItselfAndANetworkOfIPv6AsOne) {
  WrongKeys keys;
  try_often(keys, "192.0.2.1");
  EXPECT_FALSE(keys.wait("192.0.2.2", key(9), start));
  try_often(keys, "2001:db8::1");
  EXPECT_TRUE(keys.wait("2001:db8::ffff", key(9), start));
  EXPECT_FALSE(keys.wait("2001:db8:0:1::1", key(9), start));
  try_often(keys, "unix:1000");
  EXPECT_TRUE(keys.wait("unix:1000", key(9), start));
  EXPECT_FALSE(keys.wait("unix:1001", key(9), start));
}

TEST(WrongKeys, CountsThisMachineAsOne) {
  WrongKeys keys;
  for (int i = 0; i < 5; ++i) keys.note_wrong("127.0.0." + std::to_string(i + 1), key(i), start);
  EXPECT_TRUE(keys.wait("127.9.9.9", key(9), start));
  EXPECT_TRUE(keys.wait("::1", key(9), start));
  EXPECT_FALSE(keys.wait("192.0.2.1", key(9), start));
}

TEST(WrongKeys, TheSameOneCountsOnce) {
  WrongKeys keys;
  for (int i = 0; i < 1000; ++i) {
    const auto now = start + seconds(i);
    EXPECT_FALSE(keys.wait("127.0.0.1", key(1), now));
    keys.note_wrong("127.0.0.1", key(1), now);
    EXPECT_FALSE(keys.wait("127.0.0.1", key(2), now))
        << "a program with an old key locks nobody out";
  }
}

TEST(WrongKeys, WhoHadTheRightOneBeforeGoesOn) {
  WrongKeys keys;
  keys.note_right("192.0.2.1", key(100), start);
  try_often(keys, "192.0.2.1");
  EXPECT_FALSE(keys.wait("192.0.2.1", key(100), start));
  EXPECT_TRUE(keys.wait("192.0.2.1", key(101), start)) << "another one from there";
  try_often(keys, "192.0.2.2");
  EXPECT_TRUE(keys.wait("192.0.2.2", key(100), start)) << "that one from elsewhere";
  const auto later = start + WrongKeys::right_lasts;
  try_often(keys, "192.0.2.1", 5, later);
  EXPECT_TRUE(keys.wait("192.0.2.1", key(100), later));
}

TEST(WrongKeys, OfAllAddressesSlowThoseThatSendSome) {
  WrongKeys keys;
  for (int i = 0; i < 300; ++i) keys.note_wrong("unix:" + std::to_string(i), key(i), start);
  EXPECT_EQ(keys.wait("unix:7", key(1000), start), minutes(10));
  EXPECT_FALSE(keys.wait("192.0.2.1", key(1000), start)) << "it has sent none";
  EXPECT_FALSE(keys.wait("unix:7", key(1000), start + minutes(1))) << "fewer come now";
}

TEST(WrongKeys, RemembersSoManyAddressesAndRightOnesAtMost) {
  WrongKeys keys;
  try_often(keys, "192.0.2.1");
  for (std::size_t i = 0; i < WrongKeys::most_addresses; ++i) {
    keys.note_wrong("unix:" + std::to_string(i), key(1), start + seconds(1));
  }
  EXPECT_FALSE(keys.wait("192.0.2.1", key(9), start + seconds(1))) << "the oldest is forgotten";
  const auto later = start + minutes(20);
  keys.note_right("192.0.2.1", key(9), later);
  for (std::size_t i = 0; i < WrongKeys::most_right; ++i) {
    keys.note_right("unix:" + std::to_string(i), key(9), later + seconds(1));
  }
  try_often(keys, "192.0.2.1", 5, later + seconds(1));
  EXPECT_TRUE(keys.wait("192.0.2.1", key(9), later + seconds(1)));
}

}  // namespace
}  // namespace server
