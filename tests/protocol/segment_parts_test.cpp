#include "protocol/segment_parts.h"

#include <gtest/gtest.h>

namespace protocol {
namespace {

// Returns a segment of words of so many tokens each, which are numbered from 1.
Segment segment_of(const std::vector<int>& token_counts) {
  Segment segment{.start = 0, .end = static_cast<double>(token_counts.size())};
  int token = 0;
  for (std::size_t i = 0; i < token_counts.size(); ++i) {
    const auto second = static_cast<double>(i);
    const std::string text = " w" + std::to_string(i);
    segment.words.push_back({second, second + 1, text, 1, token_counts[i]});
    segment.text += text;
    for (int k = 0; k < token_counts[i]; ++k) segment.tokens.push_back(++token);
  }
  return segment;
}

TEST(SegmentParts, HaveTheTextTimesAndTokensOfTheirWords) {
  const auto parts = cut_segment(segment_of({1, 2, 3}), std::vector<std::size_t>{0, 1, 3});
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].text, " w0");
  EXPECT_EQ(parts[0].end, 1);
  EXPECT_EQ(parts[0].tokens, (std::vector<int>{1}));
  EXPECT_EQ(parts[1].text, " w1 w2");
  EXPECT_EQ(parts[1].start, 1);
  EXPECT_EQ(parts[1].end, 3);
  EXPECT_EQ(parts[1].tokens, (std::vector<int>{2, 3, 4, 5, 6}));
}

TEST(SegmentParts, KeepTheTimestampsBeforeAndBehindTheText) {
  Segment segment = segment_of({1, 2});
  segment.tokens = {90, 1, 2, 3, 95};
  const auto parts = cut_segment(segment, std::vector<std::size_t>{0, 1, 2});
  EXPECT_EQ(parts[0].tokens, (std::vector<int>{90, 1}));
  EXPECT_EQ(parts[1].tokens, (std::vector<int>{2, 3, 95}));
}

TEST(SegmentParts, HaveTheLogprobsOfTheirWords) {
  Segment segment = segment_of({1, 2});
  segment.token_logprobs = {{{65}, -1}, {{66}, -2}, {{67}, -3}};
  const auto parts = cut_segment(segment, std::vector<std::size_t>{0, 1, 2});
  ASSERT_EQ(parts[0].token_logprobs.size(), 1U);
  ASSERT_EQ(parts[1].token_logprobs.size(), 2U);
  EXPECT_EQ(parts[1].token_logprobs[0].logprob, -2);
}

TEST(SegmentParts, LeaveTokensWithTheFirstWhereWordsDoNotSayHowMany) {
  Segment segment = segment_of({0, 0});
  segment.tokens = {1, 2, 3};
  const auto parts = cut_segment(segment, std::vector<std::size_t>{0, 1, 2});
  EXPECT_EQ(parts[0].tokens, segment.tokens);
  EXPECT_TRUE(parts[1].tokens.empty());
}

TEST(SegmentParts, OfASegmentThatIsNotCutAreTheSegment) {
  const Segment segment = segment_of({1, 1});
  EXPECT_EQ(cut_segment(segment, std::vector<std::size_t>{0, 2}), std::vector{segment});
}

}  // namespace
}  // namespace protocol
