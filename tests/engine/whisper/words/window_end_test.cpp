#include "engine/whisper/words/window_end.h"

#include <gtest/gtest.h>

#include <vector>

namespace engine {
namespace {

constexpr WindowPlace place{1000, 3000, 9000};
constexpr TimestampEnd at_20_seconds{2000, false};

SegmentWords spoken(double start, double end, double probability = 0.9) {
  return {
      start,
      end,
      2,
      {{{start, start + 0.4, " a", probability}, {0}}, {{end - 0.4, end, " b", probability}, {0}}}};
}

void expect_end(const WindowEnd& end, std::int64_t seek, std::size_t kept, bool discarded = false) {
  EXPECT_EQ(end.seek, seek);
  EXPECT_EQ(end.kept, kept);
  EXPECT_EQ(end.discarded, discarded);
}

TEST(WindowEnd, SpeechEndsWithTheLastWord) {
  EXPECT_FALSE(end_of_speech({}));
  EXPECT_EQ(end_of_speech(std::vector<SegmentWords>{{1, 2, 0, {}}, {3, 4, 0, {}}}), 4);
  EXPECT_EQ(end_of_speech(std::vector<SegmentWords>{spoken(1, 2), {3, 4, 0, {}}}), 2);
}

TEST(WindowEnd, TheNextWindowBeginsBehindTheLastWord) {
  const std::vector<SegmentWords> segments{spoken(12, 15), spoken(18, 21.234)};
  expect_end(end_window(segments, place, at_20_seconds, 9, {}), 2123, 2);
}

TEST(WindowEnd, ALoneTimestampAtTheEndDecides) {
  const std::vector<SegmentWords> segments{spoken(12, 15)};
  expect_end(end_window(segments, place, {4000, true}, 9, {}), 4000, 1);
  expect_end(end_window(segments, place, {4000, true}, 9, 2.0), 4000, 1);
}

TEST(WindowEnd, WithoutWordsTimestampsDecideOrSegmentsDo) {
  expect_end(end_window({}, place, at_20_seconds, 9, {}), 2000, 0);
  expect_end(end_window(std::vector<SegmentWords>{{12, 19, 0, {}}}, place, at_20_seconds, 9, {}),
             1900, 1);
}

TEST(WindowEnd, IsAlwaysBehindTheWindowsStart) {
  const std::vector<SegmentWords> segments{spoken(8, 10.004)};
  expect_end(end_window(segments, place, at_20_seconds, 9, {}), 2000, 1);
}

TEST(WindowEnd, AShortRestIsNotLookedAtAgain) {
  const std::vector<SegmentWords> segments{spoken(12, 15), spoken(30, 38.5)};
  expect_end(end_window(segments, place, at_20_seconds, 9, {}), 3850, 2);
  expect_end(end_window(segments, place, at_20_seconds, 9, 1.0), 3850, 2);
  expect_end(end_window(segments, place, at_20_seconds, 9, 2.0), 4000, 2);
}

TEST(WindowEnd, LeadingSilenceBeforeAMadeUpSegmentDiscardsTheWindow) {
  const std::vector<SegmentWords> segments{spoken(13, 15, 0.1), spoken(18, 20)};
  expect_end(end_window(segments, place, at_20_seconds, 9, {}), 2000, 2);
  expect_end(end_window(segments, place, at_20_seconds, 9, 2.0), 1300, 0, true);
}

TEST(WindowEnd, AMadeUpSegmentIsDroppedWithAllAfterIt) {
  const std::vector<SegmentWords> segments{spoken(11, 13), spoken(16, 18, 0.1), spoken(21, 23)};
  expect_end(end_window(segments, place, at_20_seconds, 9, 2.0), 1600, 1);
  expect_end(end_window(segments, place, at_20_seconds, 9, {}), 2300, 3);
}

}  // namespace
}  // namespace engine
