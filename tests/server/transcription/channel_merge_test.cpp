#include "server/transcription/channel_merge.h"

#include <gtest/gtest.h>

#include <string>

namespace server {
namespace {

class ChannelMergeTest : public testing::Test {
 protected:
  // Returns "0:1.5 1:2": the segments that go out, by channel and start.
  static std::string shown(const std::vector<protocol::Segment>& segments) {
    std::string text;
    for (const auto& segment : segments) {
      if (!text.empty()) text += ' ';
      text += std::to_string(segment.channel.value()) + ":" +
              std::to_string(static_cast<int>(segment.start));
    }
    return text;
  }
  std::string add(std::size_t channel, double start) {
    return shown(merge_.add(channel, {.start = start, .end = start + 1}));
  }

  ChannelMerge merge_;
};

TEST_F(ChannelMergeTest, OrdersSegmentsByTheirStarts) {
  EXPECT_EQ(add(0, 1), "");
  EXPECT_EQ(add(0, 5), "");
  EXPECT_EQ(add(1, 3), "0:1 1:3");
  EXPECT_EQ(add(1, 7), "0:5");
  EXPECT_EQ(shown(merge_.end(0)), "1:7");
  EXPECT_EQ(add(1, 9), "1:9");
}

TEST_F(ChannelMergeTest, LetsASegmentGoWhenTheOtherChannelIsPastIt) {
  add(0, 4);
  EXPECT_EQ(shown(merge_.advance(1, 3)), "");
  EXPECT_EQ(shown(merge_.advance(1, 4)), "0:4");
  EXPECT_EQ(add(0, 4), "0:4");
  EXPECT_EQ(add(0, 6), "");
  EXPECT_EQ(shown(merge_.advance(1, 2)), "") << "a position never goes back";
}

TEST_F(ChannelMergeTest, HoldsTheVeryFirstSegmentUntilTheOtherChannelIsHeardOf) {
  EXPECT_EQ(add(0, 0), "");
  EXPECT_EQ(shown(merge_.advance(1, 0)), "0:0");
}

TEST_F(ChannelMergeTest, TakesTheFirstChannelFirstAtTheSameTime) {
  add(1, 2);
  EXPECT_EQ(add(0, 2), "0:2");
  EXPECT_EQ(shown(merge_.end(0)), "1:2");
}

TEST_F(ChannelMergeTest, GivesEverythingOutAtTheEnd) {
  add(0, 1);
  add(0, 2);
  EXPECT_EQ(shown(merge_.end(0)), "");
  EXPECT_EQ(shown(merge_.end(1)), "0:1 0:2");
}

TEST_F(ChannelMergeTest, NumbersSegmentsAnew) {
  merge_.end(1);
  EXPECT_EQ(merge_.add(0, {.id = 7}).at(0).id, 0);
  EXPECT_EQ(merge_.add(0, {.id = 7}).at(0).id, 1);
}

}  // namespace
}  // namespace server
