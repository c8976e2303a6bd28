#include "engine/speakers/frame_votes.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

// Returns a window whose frames from `change` on have other voices than those before.
VoiceWindow window(std::int64_t start, Voices before, Voices after = 0, int change = 589) {
  VoiceWindow made{.start = start};
  for (int i = 0; i < frames_per_window; ++i) {
    made.voices[static_cast<std::size_t>(i)] = i < change ? before : after;
  }
  return made;
}

TEST(Frames, LieOnTheGridOfTheNetwork) {
  EXPECT_EQ(first_frame(0), 0);
  EXPECT_EQ(first_frame(speaker_window_step), 148);  // 148.1
  EXPECT_EQ(first_frame(135), 0);                    // a half goes to the even one
  EXPECT_EQ(first_frame(405), 2);
  EXPECT_NEAR(frame_time(0), 0.03096875, 1e-12);
  EXPECT_EQ(frame_at(frame_time(1234)), 1234);
}

TEST(FrameVotes, CountsTheVoicesOfMostWindows) {
  FrameVotes votes;
  votes.add(window(0, 0b011));
  votes.add(window(speaker_window_step, 0b100));
  votes.add(window(2 * speaker_window_step, 0b101));
  EXPECT_EQ(votes.size(), 296 + 589);
  EXPECT_EQ(votes.count(0), 2);
  EXPECT_EQ(votes.count(200), 2);  // 1.5 is as near to 2 as to 1, and 2 is even
  EXPECT_EQ(votes.count(400), 2);  // 5 voices in 3 windows
  EXPECT_EQ(votes.count(884), 2);
}

TEST(FrameVotes, HalfAVoiceIsNobody) {
  FrameVotes votes;
  votes.add(window(0, 0b001));
  votes.add(window(speaker_window_step, 0));
  EXPECT_EQ(votes.count(147), 1);
  EXPECT_EQ(votes.count(148), 0);
}

TEST(FrameVotes, HearsAChangeWithinTwoFrames) {
  FrameVotes votes;
  votes.add(window(0, 0b001, 0b010, 300));
  EXPECT_FALSE(votes.changes(297));
  EXPECT_TRUE(votes.changes(298));
  EXPECT_TRUE(votes.changes(302));
  EXPECT_FALSE(votes.changes(303));
}

TEST(FrameVotes, DoesNotTakeTheBeginningOfSpeechForAChange) {
  FrameVotes votes;
  votes.add(window(0, 0, 0b010, 300));
  EXPECT_FALSE(votes.changes(300));
}

TEST(FrameVotes, NeedsMoreThanHalfOfTheWindowsForAChange) {
  FrameVotes votes;
  votes.add(window(0, 0b001, 0b010, 300));
  votes.add(window(speaker_window_step, 0b001));
  EXPECT_FALSE(votes.changes(300));
  votes.add(window(2 * speaker_window_step, 0b001, 0b100, 300 - 296));
  EXPECT_TRUE(votes.changes(300));
}

}  // namespace
}  // namespace engine
