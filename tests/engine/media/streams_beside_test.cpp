#include "engine/media/streams_beside.h"

#include <gtest/gtest.h>

namespace engine::media {
namespace {

// Gives pictures of 40 ms.
void see(StreamsBeside& beside, double from, double to) {
  for (double begin = from; begin < to - 0.001; begin += 0.04) beside.see(begin, begin + 0.04);
}

TEST(StreamsBeside, KnowNothingWhereNoneWasSeen) {
  StreamsBeside beside;
  EXPECT_FALSE(beside.track_joined(0));
}

TEST(StreamsBeside, TellWhereThePartBeforeEndsAndTheNextOneBegins) {
  StreamsBeside beside;
  see(beside, 1, 11);
  see(beside, 0, 3);
  const auto join = beside.track_joined(2);
  ASSERT_TRUE(join);
  EXPECT_NEAR(join->end, 11, 1e-6);
  EXPECT_EQ(join->begin, 0);
}

TEST(StreamsBeside, MayBeginTheirNewCountLater) {
  StreamsBeside beside;
  see(beside, 1, 11);
  for (const double end : {11, 8}) {
    const auto join = beside.track_joined(2);
    ASSERT_TRUE(join);
    EXPECT_NEAR(join->end, end, 1e-6);
    EXPECT_EQ(join->begin, 2);
    see(beside, 2, 8);
  }
}

TEST(StreamsBeside, BeginNoNewCountWithPicturesOutOfOrder) {
  StreamsBeside beside;
  see(beside, 1, 11);
  beside.see(10.2, 10.24);
  const auto join = beside.track_joined(0);
  ASSERT_TRUE(join);
  EXPECT_NEAR(join->end, 11, 1e-6);
}

TEST(StreamsBeside, MayHaveAFaultThatTheTrackHasNot) {
  StreamsBeside beside;
  see(beside, 0, 11);
  see(beside, 5, 8);
  beside.track_went_on(3);
  const auto join = beside.track_joined(6);
  ASSERT_TRUE(join);
  EXPECT_NEAR(join->end, 8, 1e-6);
  EXPECT_EQ(join->begin, 6);
}

}  // namespace
}  // namespace engine::media
