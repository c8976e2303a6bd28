#include "engine/whisper/transcriber/window_segments.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

constexpr int ts = 50364;

struct Case {
  const char* what;
  std::vector<int> tokens;
  std::vector<TimedTokens> segments;
  std::int64_t advance;
  bool silence_until_end = false;
};

TEST(WindowSegments, FollowTheTimestamps) {
  const Case cases[] = {
      {"one segment that ends with the window's speech",
       {ts, 1, 2, ts + 100},
       {{0, 2, {ts, 1, 2, ts + 100}}},
       3000,
       true},
      {"a pair cuts, and the unfinished tail is decoded again",
       {ts, 1, ts + 100, ts + 100, 2},
       {{0, 2, {ts, 1, ts + 100}}},
       200},
      {"a pair and a lone end: both are segments, and the window is done",
       {ts, 1, ts + 100, ts + 150, 2, ts + 200},
       {{0, 2, {ts, 1, ts + 100}}, {3, 4, {ts + 150, 2, ts + 200}}},
       3000,
       true},
      {"a pair at the end: nothing is left over",
       {ts, 1, ts + 100, ts + 100},
       {{0, 2, {ts, 1, ts + 100}}},
       200},
      {"no timestamp at all: the window's length", {1, 2}, {{0, 30, {1, 2}}}, 3000},
      {"only the first timestamp: the window's length", {ts, 1, 2}, {{0, 30, {ts, 1, 2}}}, 3000},
      {"nothing", {}, {{0, 30, {}}}, 3000},
  };
  for (const Case& c : cases) {
    const WindowSegments split = split_window(c.tokens, ts, 3000);
    EXPECT_EQ(split.advance, c.advance) << c.what;
    EXPECT_EQ(split.silence_until_end, c.silence_until_end) << c.what;
    ASSERT_EQ(split.segments.size(), c.segments.size()) << c.what;
    for (std::size_t i = 0; i < c.segments.size(); ++i) {
      EXPECT_DOUBLE_EQ(split.segments[i].start, c.segments[i].start) << c.what;
      EXPECT_DOUBLE_EQ(split.segments[i].end, c.segments[i].end) << c.what;
      EXPECT_EQ(split.segments[i].tokens, c.segments[i].tokens) << c.what;
    }
  }
}

TEST(WindowSegments, AShortWindowEndsWhereItsFramesEnd) {
  const std::vector<int> tokens{ts, 1};
  const WindowSegments split = split_window(tokens, ts, 450);
  EXPECT_DOUBLE_EQ(split.segments[0].end, 4.5);
  EXPECT_EQ(split.advance, 450);
}

TEST(WindowSegments, TheLoopAlwaysGoesOn) {
  const std::vector<int> tokens{ts, ts, 1};
  EXPECT_GT(split_window(tokens, ts, 3000).advance, 0);
}

}  // namespace
}  // namespace engine
