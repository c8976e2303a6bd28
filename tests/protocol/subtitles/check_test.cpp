#include "protocol/subtitles/check.h"

#include <gtest/gtest.h>

namespace protocol::subtitles {
namespace {

// The rules that the second of three cues breaks.
std::vector<std::string> broken(Cue cue, SubtitleStyle style = SubtitleStyle::standard) {
  const Cue before{.start = 0, .end = 2, .text = "First."};
  const Cue after{.start = 100, .end = 102, .text = "Last."};
  std::vector<std::string> rules;
  for (const auto& found : violations_of(cue, &before, &after, "en", rules_of(style))) {
    rules.push_back(found.rule);
  }
  return rules;
}

using Names = std::vector<std::string>;

TEST(SubtitleCheck, FindsNothingInACueThatFits) {
  EXPECT_EQ(broken({.start = 3, .end = 6, .text = "It was moved to the end\nof next week."}),
            Names{});
  EXPECT_EQ(broken({.start = 2.08, .end = 2.914, .text = "Yes."}), Names{})
      << "times are rounded to milliseconds";
}

TEST(SubtitleCheck, MeasuresLinesByTheStyle) {
  const Cue cue{.start = 3, .end = 7, .text = std::string(40, 'a') + "\n" + std::string(20, 'b')};
  EXPECT_EQ(broken(cue), Names{});
  EXPECT_EQ(broken(cue, SubtitleStyle::bbc), Names{"width"});
  EXPECT_EQ(broken(cue, SubtitleStyle::whisper), Names{});
  EXPECT_EQ(broken({.start = 3, .end = 7, .text = "一二三四五六七八九十一二三四五六七"}),
            (Names{"width"}))
      << "17 letters of two columns";
  EXPECT_EQ(broken({.start = 3, .end = 7, .text = "One\ntwo\nthree"}), Names{"lines"});
}

TEST(SubtitleCheck, MeasuresTimes) {
  EXPECT_EQ(broken({.start = 3, .end = 3.5, .text = "Yes."}), Names{"short"});
  EXPECT_EQ(broken({.start = 3, .end = 11, .text = "Yes."}), Names{"long"});
  EXPECT_EQ(broken({.start = 3, .end = 4, .text = "It was moved to next week."}), Names{"speed"});
  EXPECT_EQ(broken({.start = 2.04, .end = 4, .text = "Yes."}), Names{"gap"});
}

TEST(SubtitleCheck, FindsWhatPlayersTripOver) {
  for (const auto style : {SubtitleStyle::standard, SubtitleStyle::whisper}) {
    EXPECT_EQ(broken({.start = 1, .end = 3, .text = "Yes."}, style), Names{"overlap"});
    EXPECT_EQ(broken({.start = 5, .end = 4, .text = "Yes."}, style), Names{"length"});
    EXPECT_EQ(broken({.start = 5, .end = 5, .text = "Yes."}, style), Names{"length"});
    EXPECT_EQ(broken({.start = 5, .end = 7, .text = " \n"}, style), Names{"empty"});
  }
  const Cue before{.start = 5, .end = 7, .text = "A."};
  const auto found = violations_of({.start = 1, .end = 3, .text = "B."}, &before, nullptr, "", {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].rule, "order");
}

TEST(SubtitleCheck, FindsBreaksWithinWhatBelongsTogether) {
  EXPECT_EQ(broken({.start = 3, .end = 6, .text = "It was moved to the\nend of next week."}),
            Names{"break"});
  EXPECT_EQ(broken({.start = 3, .end = 6, .text = "We flew from New\nYork to Boston."}),
            Names{"break"});
  const Cue cue{.start = 3, .end = 6, .text = "It was moved to the"};
  const Cue after{.start = 6.08, .end = 8, .text = "end of next week."};
  EXPECT_EQ(violations_of(cue, nullptr, &after, "en", rules_of(SubtitleStyle::standard)).size(),
            1u);
}

TEST(SubtitleCheck, LinesOfKoreanAreJoinedWithASpace) {
  EXPECT_EQ(
      broken(
          {.start = 3, .end = 8, .text = "오늘은 오픈에이아이의 위스퍼\n모델에 대해 설명합니다."}),
      Names{});
}

TEST(SubtitleCheck, LinesOfTwoSpeakersAreNoBreak) {
  EXPECT_EQ(broken({.start = 3, .end = 6, .text = "- It was moved to the\n- End of next week."}),
            Names{});
  const Cue cue{.start = 3, .end = 6, .text = "- Really?\n- It was moved to the"};
  const Cue after{.start = 6.08, .end = 8, .text = "end of next week."};
  EXPECT_TRUE(violations_of(cue, nullptr, &after, "en", rules_of(SubtitleStyle::standard)).empty());
}

TEST(SubtitleCheck, FindsTimesThatAreWrittenAsInTheOtherFormat) {
  EXPECT_EQ(violation_of_writing({}), std::nullopt);
  EXPECT_EQ(violation_of_writing({.wrong_sign = '.'})->rule, "times");
  EXPECT_NE(violation_of_writing({.wrong_sign = ','})->what.find("vtt writes 00:00:01.500"),
            std::string::npos);
}

}  // namespace
}  // namespace protocol::subtitles
