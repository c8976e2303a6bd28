#include "protocol/subtitles/overlaps.h"

#include <gtest/gtest.h>

#include <string>

namespace protocol::subtitles {
namespace {

const Segment agent{.speaker = "Agent"};
const Segment caller{.speaker = "Caller"};

VoicedCue said(const Segment& segment, double start, double end, std::string text) {
  return {{.start = start, .end = end, .text = std::move(text), .speaker = segment.speaker},
          &segment};
}

std::vector<Cue> apart(std::vector<VoicedCue> cues, double duration = 0) {
  return without_overlaps(std::move(cues), duration, {});
}

void expect_in_order(const std::vector<Cue>& cues) {
  for (std::size_t i = 0; i < cues.size(); ++i) {
    EXPECT_GT(cues[i].end, cues[i].start) << i;
    EXPECT_GE(cues[i].start, i > 0 ? cues[i - 1].end : 0) << i;
  }
}

const std::string wide(40, 'x');  // two seconds at 20 columns a second, and no room for a label

TEST(Overlaps, CuesThatFollowEachOtherStayAsTheyAre) {
  const auto cues =
      apart({said(agent, 0, 2, "One."), said(caller, 2, 3, "Two."), said(caller, 3, 4, "Three.")});
  ASSERT_EQ(cues.size(), 3u);
  EXPECT_EQ(cues[0].end, 2);
  EXPECT_EQ(cues[1].start, 2);
  EXPECT_FALSE(cues[1].reply);
}

TEST(Overlaps, TwoWhoSpeakAtOnceShareACue) {
  const auto cues = apart({said(agent, 1, 3, "How are you?"), said(caller, 1.5, 3.5, "Hello!"),
                           said(agent, 4, 5, "Fine.")});
  ASSERT_EQ(cues.size(), 2u);
  EXPECT_EQ(cues[0].start, 1);
  EXPECT_EQ(cues[0].end, 3.5);
  EXPECT_EQ(cues[0].text, "How are you?");
  EXPECT_EQ(cues[0].reply, (CueReply{.text = "Hello!", .speaker = "Caller"}));
}

TEST(Overlaps, KaraokeIsOfOneVoice) {
  auto first = said(agent, 1, 3, "How are you?");
  first.cue.words = {{0, 1}, {4, 1.5}, {8, 2}};
  EXPECT_EQ(apart({first, said(caller, 1.5, 3.5, "Hello!")}).size(), 2u);
}

TEST(Overlaps, ACueThatIsReadInTimeEndsBeforeTheNext) {
  const auto cues = apart({said(agent, 0, 3, "Hello."), said(caller, 2, 4, "Hi.")});
  ASSERT_EQ(cues.size(), 2u);
  EXPECT_NEAR(cues[0].end, 1.92, 1e-9);
  EXPECT_EQ(cues[1].start, 2);
}

TEST(Overlaps, LinesThatHaveNoRoomForDashAndLabelStayCuesOfTheirOwn) {
  EXPECT_EQ(apart({said(agent, 0, 3, wide), said(caller, 0.5, 3, "Hi.")}).size(), 2u);
  EXPECT_EQ(apart({said(agent, 0, 3, "One\ntwo."), said(caller, 0.5, 3, "Hi.")}).size(), 2u);
  EXPECT_EQ(apart({said(agent, 0, 3, "Hello."), said(caller, 0.5, 3, wide)}).size(), 2u);
}

TEST(Overlaps, TheOtherCueWaitsUntilTheFirstCanBeRead) {
  const auto cues = apart({said(agent, 0, 4, wide), said(caller, 1, 5, wide)});
  ASSERT_EQ(cues.size(), 2u);
  EXPECT_NEAR(cues[0].end, 2, 1e-9);
  EXPECT_NEAR(cues[1].start, 2.08, 1e-9);
  EXPECT_EQ(cues[1].end, 5);
}

TEST(Overlaps, NobodyWaitsLong) {
  const auto cues = apart({said(agent, 0, 7, std::string(80, 'x')), said(caller, 0.5, 1, "Hi.")});
  ASSERT_EQ(cues.size(), 2u);
  EXPECT_NEAR(cues[1].start, 2.5, 1e-9);
}

TEST(Overlaps, ManyCuesAtOnceStayInOrderAndHaveALength) {
  std::vector<VoicedCue> cues;
  for (int i = 0; i < 60; ++i) {
    cues.push_back(said(i % 2 == 0 ? agent : caller, i / 10 * 0.5, i / 10 * 0.5 + 3, wide));
  }
  const auto found = apart(cues, 6);
  EXPECT_EQ(found.size(), cues.size());
  expect_in_order(found);
  EXPECT_LE(found.back().end, 6);
}

TEST(Overlaps, NoCueMovesBeyondTheRecording) {
  const auto cues = apart({said(agent, 8, 10, wide), said(caller, 9.6, 10, wide)}, 10);
  ASSERT_EQ(cues.size(), 2u);
  expect_in_order(cues);
  EXPECT_EQ(cues[1].end, 10);
}

TEST(Overlaps, AThirdSpeakerHasACueOfTheirOwn) {
  const Segment third{.speaker = "Guest"};
  const auto cues = apart(
      {said(agent, 0, 3, "One."), said(caller, 0.1, 3, "Two."), said(third, 0.2, 3, "Three.")});
  ASSERT_EQ(cues.size(), 2u);
  EXPECT_TRUE(cues[0].reply);
  EXPECT_EQ(cues[1].text, "Three.");
  expect_in_order(cues);
}

TEST(Overlaps, OneVoiceNeverAnswersItself) {
  const auto cues = apart({said(agent, 0, 3, "One."), said(agent, 0.1, 3, "Two.")});
  ASSERT_EQ(cues.size(), 2u);
  expect_in_order(cues);
}

TEST(Overlaps, ChannelsWithoutLabelsAreTwoVoices) {
  Segment left, right;
  left.channel = 0;
  right.channel = 1;
  const auto cues = apart({said(left, 0, 3, "One."), said(right, 0.1, 3, "Two.")});
  ASSERT_EQ(cues.size(), 1u);
  EXPECT_EQ(cues[0].reply, CueReply{.text = "Two."});
}

}  // namespace
}  // namespace protocol::subtitles
