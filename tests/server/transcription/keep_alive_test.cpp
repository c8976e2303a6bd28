#include "server/transcription/keep_alive.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace server {
namespace {

TEST(KeepAlive, ReadsDurationsAndSeconds) {
  const std::map<std::string, long long> cases = {
      {"5m", 300'000},     {"90s", 90'000}, {"1h", 3'600'000},
      {"300", 300'000},    {"0", 0},        {"0s", 0},
      {"-0", 0},           {"500ms", 500},  {"1h30m", 5'400'000},
      {"1.5h", 5'400'000}, {"0.5", 500},    {"1m500ms", 60'500}};
  for (const auto& [text, ms] : cases) {
    const auto read = parse_keep_alive(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->count(), ms) << text;
  }
}

TEST(KeepAlive, MeansForEverWhenItIsNegativeOrVeryLong) {
  for (const char* text : {"-1", "-5m", "-1s", "999999h", "9999999999999999999999"}) {
    const auto read = parse_keep_alive(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(*read, keep_for_ever) << text;
  }
}

TEST(KeepAlive, RefusesNumbersThatNoNumberHolds) {
  const std::string digits(400, '9'), zeros(400, '0');
  for (const auto& text :
       {digits, digits + "h", "-" + digits + "s", "1h" + digits + "m", "0." + zeros + "1h"}) {
    EXPECT_FALSE(parse_keep_alive(text)) << text;
  }
  EXPECT_EQ(parse_keep_alive(zeros + "5m")->count(), 300'000);
}

TEST(KeepAlive, RefusesWhatIsNoTime) {
  for (const char* text : {"", "-", "m", "5x", "5m3", "5 m", "five", "--1", "1e3", "nan", "inf",
                           "5mm", "1h-5m", " 5", "5m "}) {
    const auto read = parse_keep_alive(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, errc::bad_request);
    EXPECT_FALSE(read.error().fix.empty());
  }
}

}  // namespace
}  // namespace server
