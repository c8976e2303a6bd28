#include "server/http/rate_limiter.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

const RateLimiter::Clock::time_point start{std::chrono::hours(1)};

TEST(RateLimiter, LetsAMinutesShareComeAtOnceAndThenOneAfterTheOther) {
  RateLimiter limiter;
  for (std::int64_t left = 5; left >= 0; --left) {
    const auto answer = limiter.take("ada", 6, start);
    EXPECT_TRUE(answer.is_allowed);
    EXPECT_EQ(answer.left, left);
  }
  const auto refused = limiter.take("ada", 6, start);
  EXPECT_FALSE(refused.is_allowed);
  EXPECT_EQ(refused.left, 0);
  EXPECT_EQ(refused.next, seconds(10));
  EXPECT_EQ(refused.all_back, seconds(60));
  EXPECT_FALSE(limiter.take("ada", 6, start + milliseconds(9'900)).is_allowed);
  EXPECT_TRUE(limiter.take("ada", 6, start + milliseconds(10'100)).is_allowed);
  EXPECT_EQ(limiter.take("ada", 6, start + seconds(600)).left, 5) << "no more than a minute's";
}

TEST(RateLimiter, SeveralAtOnceAreAllowedTogetherOrNotAtAll) {
  RateLimiter limiter;
  EXPECT_EQ(limiter.take("ada", 6, start, 4).left, 2);
  const auto refused = limiter.take("ada", 6, start, 3);
  EXPECT_FALSE(refused.is_allowed);
  EXPECT_EQ(refused.left, 2) << "nothing was counted";
  EXPECT_EQ(refused.next, seconds(10));
  EXPECT_EQ(limiter.take("ada", 6, start, 100).next, seconds(40)) << "until all is free";
  EXPECT_TRUE(limiter.take("ada", 6, start + milliseconds(10'100), 3).is_allowed);
}

TEST(RateLimiter, CountsEachNameByItself) {
  RateLimiter limiter;
  EXPECT_TRUE(limiter.take("ada", 1, start).is_allowed);
  EXPECT_FALSE(limiter.take("ada", 1, start).is_allowed);
  EXPECT_TRUE(limiter.take("bob", 1, start).is_allowed);
}

TEST(RateLimiter, ALimitThatIsLoweredCountsWhatHasCome) {
  RateLimiter limiter;
  for (int i = 0; i < 3; ++i) limiter.take("ada", 10, start);
  EXPECT_FALSE(limiter.take("ada", 3, start).is_allowed);
}

}  // namespace
}  // namespace server
