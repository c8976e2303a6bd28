#include "server/jobs/resume.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using Clips = std::vector<double>;

const std::vector<protocol::Segment> two{{.end = 4, .text = " One."},
                                         {.end = 7.5, .text = " Two."}};

Clips clips_after(Clips before) {
  protocol::TranscribeOptions options;
  options.clip_timestamps = std::move(before);
  return resumed(options, two, 0, "en").clip_timestamps;
}

TEST(Resume, ChangesNothingWhereNothingIsDecided) {
  protocol::TranscribeOptions options;
  options.initial_prompt = "names";
  EXPECT_EQ(resumed(options, {}, 0, ""), options);
}

TEST(Resume, GoesOnBehindTheLastSegment) {
  EXPECT_EQ(clips_after({}), (Clips{7.5}));
  EXPECT_EQ(clips_after({2}), (Clips{7.5}));
  EXPECT_EQ(clips_after({9}), (Clips{9}));
  EXPECT_EQ(clips_after({0, 5, 6, 10, 12, 20}), (Clips{7.5, 10, 12, 20}));
  EXPECT_EQ(clips_after({0, 5, 12}), (Clips{12}));
}

TEST(Resume, GoesOnBehindSilenceThatIsDecided) {
  protocol::TranscribeOptions options;
  options.initial_prompt = "names";
  EXPECT_EQ(resumed(options, two, 60, "en").clip_timestamps, Clips{60});
  EXPECT_EQ(resumed(options, two, 4, "en").clip_timestamps, Clips{7.5});
  const auto before_all_text = resumed(options, {}, 60, "en");
  EXPECT_EQ(before_all_text.clip_timestamps, Clips{60});
  EXPECT_EQ(before_all_text.initial_prompt, "names");
  EXPECT_EQ(before_all_text.language, "en");
}

TEST(Resume, LeavesNothingOfClipsThatAreDone) {
  EXPECT_EQ(clips_after({0, 7.5}), (Clips{7.5, 7.5}));
}

TEST(Resume, DetectsAgainWhereTheLanguageAloneIsWanted) {
  protocol::TranscribeOptions options;
  options.language_only = true;
  EXPECT_EQ(resumed(options, {}, 0, "de").language, "");
}

TEST(Resume, DoesNotDetectTheLanguageAgain) {
  EXPECT_EQ(resumed({}, two, 0, "de").language, "de");
  protocol::TranscribeOptions options;
  options.language = "fr";
  EXPECT_EQ(resumed(options, two, 0, "de").language, "fr");
}

TEST(Resume, EarlierTextIsThePromptWhereItWouldHaveBeen) {
  protocol::TranscribeOptions options;
  options.initial_prompt = "names";
  EXPECT_EQ(resumed(options, two, 0, "en").initial_prompt, " One. Two.");
  options.carry_initial_prompt = true;
  EXPECT_EQ(resumed(options, two, 0, "en").initial_prompt, "names");
  options.carry_initial_prompt = false;
  options.condition_on_previous_text = false;
  EXPECT_EQ(resumed(options, two, 0, "en").initial_prompt, "");
}

TEST(Resume, EveryParallelWindowKeepsTheFirstPrompt) {
  protocol::TranscribeOptions options;
  options.initial_prompt = "names";
  options.long_form = protocol::LongForm::parallel;
  EXPECT_EQ(resumed(options, two, 0, "en").initial_prompt, "names");
}

const std::vector<protocol::Segment> of_both{{.start = 0, .end = 4, .text = " One.", .channel = 0},
                                             {.start = 3, .end = 9, .text = " Yes.", .channel = 1},
                                             {.start = 6, .end = 8, .text = " Two.", .channel = 0}};

TEST(ResumeOfAChannel, GoesOnWhereNothingOfItIsMissing) {
  EXPECT_EQ(resumed_channel({}, of_both, 0, 0).clip_timestamps, Clips{8});
  EXPECT_EQ(resumed_channel({}, of_both, 0, 1).clip_timestamps, Clips{9});
  // Nothing was said in the second channel before the last start of the first.
  const std::vector<protocol::Segment> of_one{of_both[0], of_both[2]};
  EXPECT_EQ(resumed_channel({}, of_one, 0, 1).clip_timestamps, Clips{6});
  EXPECT_EQ(resumed_channel({}, {}, 0, 1), protocol::TranscribeOptions{});
}

// Segments of the present window may not have been told, since the other channel is behind.
TEST(ResumeOfAChannel, GoesOnAWindowBeforeThePositionOfBoth) {
  EXPECT_EQ(resumed_channel({}, of_both, 100, 0).clip_timestamps, Clips{70});
  EXPECT_EQ(resumed_channel({}, of_both, 35, 0).clip_timestamps, Clips{8});
  EXPECT_EQ(resumed_channel({}, {}, 100, 1).clip_timestamps, Clips{70});
  EXPECT_EQ(resumed_channel({}, {}, 20, 1), protocol::TranscribeOptions{});
}

TEST(ResumeOfAChannel, HasTheTextOfThatChannelAsItsPrompt) {
  EXPECT_EQ(resumed_channel({}, of_both, 0, 0).initial_prompt, " One. Two.");
  EXPECT_EQ(resumed_channel({}, of_both, 0, 1).initial_prompt, " Yes.");
}

}  // namespace
}  // namespace server
