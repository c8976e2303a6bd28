#include "engine/speakers/turns.h"

#include <gtest/gtest.h>

#include "engine/speakers/frames.h"

namespace engine {
namespace {

constexpr std::uint64_t a = 0b001;
constexpr std::uint64_t b = 0b010;

// Frames of whom runs speak: how many, who is active, and who is foremost.
struct Run {
  int frames = 0;
  std::uint64_t active = 0;
  int foremost = -1;
};

Turns turns_of_runs(const std::vector<Run>& runs, double recording_s = 100) {
  SpeakerFrames frames;
  for (const Run& run : runs) {
    frames.active.insert(frames.active.end(), static_cast<std::size_t>(run.frames), run.active);
    frames.foremost.insert(frames.foremost.end(), static_cast<std::size_t>(run.frames),
                           static_cast<std::int8_t>(run.foremost));
  }
  return make_turns(frames, recording_s);
}

using All = std::vector<Turn>;

TEST(Turns, BeginAndEndInTheMiddleOfFrames) {
  const Turns turns = turns_of_runs({{10, 0}, {50, a, 0}, {10, 0}});
  EXPECT_EQ(turns.all, (All{{frame_time(10), frame_time(60), 0}}));
}

TEST(Turns, MayOverlapAndAreExclusiveForWords) {
  const Turns turns = turns_of_runs({{50, a, 0}, {20, a | b, 1}, {50, b, 1}});
  EXPECT_EQ(turns.all,
            (All{{frame_time(0), frame_time(70), 0}, {frame_time(50), frame_time(120), 1}}));
  EXPECT_EQ(turns.exclusive,
            (All{{frame_time(0), frame_time(50), 0}, {frame_time(50), frame_time(120), 1}}));
}

TEST(Turns, CloseAShortPauseInWhichNobodySpeaks) {
  EXPECT_EQ(turns_of_runs({{50, a, 0}, {29, 0}, {50, a, 0}}).all.size(), 1U);
  EXPECT_EQ(turns_of_runs({{50, a, 0}, {30, 0}, {50, a, 0}}).all.size(), 2U);  // 0.506 s
  EXPECT_EQ(turns_of_runs({{50, a, 0}, {5, 0}, {9, b, 1}, {5, 0}, {50, a, 0}}).all.size(), 3U);
}

TEST(Turns, ShorterThanATenthOfASecondAreDropped) {
  EXPECT_EQ(turns_of_runs({{50, a, 0}, {5, b, 1}, {50, a, 0}}).all.size(), 2U);  // 0.084 s
  EXPECT_EQ(turns_of_runs({{50, a, 0}, {6, b, 1}, {50, a, 0}}).all.size(), 3U);
}

TEST(Turns, AreNumberedInTheirOrder) {
  const Turns turns = turns_of_runs({{50, b, 1}, {50, a, 0}, {50, b, 1}});
  EXPECT_EQ(turns.all[0].speaker, 0);
  EXPECT_EQ(turns.all[1].speaker, 1);
  EXPECT_EQ(turns.all[2].speaker, 0);
  EXPECT_EQ(turns.exclusive, turns.all);
}

TEST(Turns, EndWithTheRecording) {
  EXPECT_EQ(turns_of_runs({{589, a, 0}}, 2.0).all, (All{{frame_time(0), 2.0, 0}}));
}

}  // namespace
}  // namespace engine
