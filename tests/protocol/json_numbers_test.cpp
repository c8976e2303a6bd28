#include "protocol/json_numbers.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace protocol::json {
namespace {

std::string text(double value) {
  return nlohmann::json(value).dump();
}

TEST(JsonNumbers, SecondsHaveMilliseconds) {
  EXPECT_EQ(text(seconds(37.480000000000004)), "37.48");
  EXPECT_EQ(text(seconds(1.2345)), "1.235");
  EXPECT_EQ(text(seconds(-0.0604)), "-0.06");
  EXPECT_EQ(text(seconds(12)), "12.0");
  EXPECT_EQ(text(seconds(1763839000.123456)), "1763839000.123");
}

TEST(JsonNumbers, ScoresHaveFourDecimals) {
  EXPECT_EQ(text(score(0.9123456789)), "0.9123");
  EXPECT_EQ(text(score(-0.28607860207557678)), "-0.2861");
  EXPECT_EQ(text(score(1e-9)), "0.0");
}

TEST(JsonNumbers, AreAlwaysNumbers) {
  using Limits = std::numeric_limits<double>;
  EXPECT_EQ(seconds(Limits::quiet_NaN()), 0);
  EXPECT_EQ(score(-Limits::infinity()), 0);
  EXPECT_EQ(seconds(Limits::max()), Limits::max());
}

}  // namespace
}  // namespace protocol::json
