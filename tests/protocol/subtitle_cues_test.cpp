#include "protocol/subtitle_cues.h"

#include <gtest/gtest.h>

namespace protocol {
namespace {

Segment spoken_by(std::string speaker, std::optional<int> channel, std::vector<Word> words) {
  Segment segment;
  segment.start = words.front().start;
  segment.end = words.back().end;
  for (const Word& word : words) segment.text += word.word;
  segment.words = std::move(words);
  segment.speaker = std::move(speaker);
  segment.channel = channel;
  return segment;
}

WriterOptions one_line(int width) {
  return {.max_line_width = width, .max_line_count = 1};
}

WriterOptions flowing() {
  return {.max_line_width = 42, .max_line_count = 2};
}

// Returns "0.5-1 A: Hello there." for each cue.
std::vector<std::string> cue_table(const std::vector<Cue>& cues) {
  std::vector<std::string> lines;
  for (const Cue& cue : cues) {
    char times[64];
    std::snprintf(times, sizeof times, "%.4g-%.4g ", cue.start, cue.end);
    lines.push_back(times + cue.speaker + ": " + cue.text);
  }
  return lines;
}

using CueTable = std::vector<std::string>;

TEST(SubtitleCues, NeverJoinTwoSpeakers) {
  const std::vector segments{
      spoken_by("A", {}, {{1, 1.5, " And", 1}, {1.5, 2, " so", 1}}),
      spoken_by("A", {}, {{2, 2.5, " it", 1}, {2.5, 3, " begins.", 1}}),
      spoken_by("B", {}, {{3, 3.5, " This", 1}, {3.5, 4, " is", 1}}),
      spoken_by("A", {}, {{4, 4.5, " It's", 1}}),
  };
  EXPECT_EQ(cue_table(word_cues(segments, flowing())),
            (CueTable{"1-3 A: And so it begins.", "3-4 B: This is", "4-4.5 A: It's"}));
}

TEST(SubtitleCues, NeverJoinTwoChannels) {
  const std::vector segments{
      spoken_by("", 0, {{0, 1, " you", 1}, {3, 4, " there", 1}}),
      spoken_by("", 1, {{1.5, 1.9, " Thunder", 1}, {1.9, 2, " storms", 1}}),
  };
  EXPECT_EQ(cue_table(word_cues(segments, flowing())),
            (CueTable{"0-4 : you there", "1.5-2 : Thunder storms"}));
}

TEST(SubtitleCues, AreInOrderOfTheirStartsWithWordsOfBothChannels) {
  WriterOptions options{.highlight_words = true};
  options.channel_labels = {"Agent", "Caller"};
  const std::vector segments{
      spoken_by("", 0, {{0, 1, " a", 1}, {8, 9, " b", 1}}),
      spoken_by("", 1, {{4, 5, " c", 1}, {5, 6, " d", 1}}),
  };
  EXPECT_EQ(cue_table(word_cues(segments, options)),
            (CueTable{"0-1 Agent: a b", "1-8 Agent: a b", "4-5 Caller: c d", "5-6 Caller: c d",
                      "8-9 Agent: a b"}));
}

TEST(SubtitleCues, OfTwoChannelsWithoutWordsAreInOrderOfTheirStarts) {
  const auto said = [](int channel, double start, double end, const char* text) {
    Segment segment{.start = start, .end = end, .text = text};
    segment.channel = channel;
    return segment;
  };
  Transcript transcript;
  transcript.segments = {said(0, 0, 9, " a"), said(0, 9, 12, " b"), said(1, 2, 9, " c")};
  for (const auto* format : {"srt", "vtt"}) {
    const std::string text =
        write_transcript(format, transcript, {.channel_labels = {"X", "Y"}}).value();
    EXPECT_LT(text.find("X: a"), text.find("Y: c")) << text;
    EXPECT_LT(text.find("Y: c"), text.find("b\n")) << text;
  }
}

TEST(SubtitleCues, CountTheSpeakerInTheWidthOfTheLineThatTellsIt) {
  const std::vector segments{spoken_by(
      "Ann", {}, {{0, 1, " one", 1}, {1, 2, " two", 1}, {2, 3, " one", 1}, {3, 4, " two", 1}})};
  EXPECT_EQ(cue_table(word_cues(segments, one_line(11))),
            (CueTable{"0-1 Ann: one", "1-4 Ann: two one two"}))
      << "it is told once";
  EXPECT_EQ(cue_table(word_cues(segments, one_line(12))),
            (CueTable{"0-2 Ann: one two", "2-4 Ann: one two"}));
  auto both = segments;
  both.push_back(spoken_by("Bob", {}, {{1.5, 1.9, " yes", 1}}));
  EXPECT_EQ(cue_table(word_cues(both, one_line(11))),
            (CueTable{"0-1 Ann: one", "1-2 Ann: two", "1.5-1.9 Bob: yes", "2-3 Ann: one",
                      "3-4 Ann: two"}))
      << "after Bob it is told again";
}

TEST(SubtitleCues, OfOneWordEachHaveALengthThoughWordsHaveNone) {
  const std::vector segments{
      spoken_by("", {}, {{0, 1, " a", 1}, {1, 1, " b", 1}, {1, 2, " c", 1}})};
  for (const Cue& cue : word_cues(segments, {.max_words_per_line = 1})) {
    EXPECT_GT(cue.end, cue.start) << cue.text;
  }
  for (const Cue& cue : word_cues(segments, {.highlight_words = true})) {
    EXPECT_GT(cue.end, cue.start) << cue.text;
  }
}

TEST(SubtitleCues, DoNotRunBackwardsWhereWordsOverlap) {
  const std::vector segments{spoken_by("", {}, {{0, 2, " a", 1}, {1.5, 3, " b", 1}})};
  double last = 0;
  for (const Cue& cue : word_cues(segments, {.highlight_words = true})) {
    EXPECT_GT(cue.end, cue.start);
    EXPECT_GE(cue.start, last);
    last = cue.start;
  }
}

TEST(SubtitleCues, MarkTheWordThatIsSaid) {
  const std::vector segments{spoken_by("A", {}, {{0, 1, " one", 1}, {1, 2, " two", 1}})};
  const auto cues = word_cues(segments, {.highlight_words = true});
  ASSERT_EQ(cues.size(), 2u);
  EXPECT_EQ(cues[0].underlined, (CueMark{0, 3}));
  EXPECT_EQ(cues[1].underlined, (CueMark{4, 7}));
}

// Returns segments that say "a" ten times each, one time a second.
std::vector<Segment> ten_words_each(int count) {
  std::vector<Segment> segments;
  for (int i = 0; i < count; ++i) {
    std::vector<Word> words;
    for (double at = 10 * i; at < 10 * i + 10; ++at) words.push_back({at, at + 1, " a", 1});
    segments.push_back(spoken_by("", {}, std::move(words)));
  }
  return segments;
}

TEST(SubtitleCues, WithAHighlightedWordAreCutWhereASegmentBegins) {
  const auto cues =
      word_cues(ten_words_each(16),
                {.max_line_width = 1000, .max_line_count = 1000, .highlight_words = true});
  ASSERT_EQ(cues.size(), 160u);
  EXPECT_EQ(cues[0].text.size(), 2 * 150 - 1);
  EXPECT_EQ(cues[149].text, cues[0].text);
  EXPECT_EQ(cues[150].text, "a a a a a a a a a a");
  EXPECT_EQ(cues[150].underlined, (CueMark{0, 1}));
  EXPECT_EQ(cues[151].underlined, (CueMark{2, 3}));
}

TEST(SubtitleCues, WithAHighlightedWordStayWholeUpToTheLimit) {
  const auto cues =
      word_cues(ten_words_each(15),
                {.max_line_width = 1000, .max_line_count = 1000, .highlight_words = true});
  ASSERT_EQ(cues.size(), 150u);
  EXPECT_EQ(cues.front().text, cues.back().text);
}

// The whole text for each word would be more than any machine has.
TEST(SubtitleCues, WithAHighlightedWordDoNotHoldTheTextOnceForEachWord) {
  std::vector<Word> words;
  for (int i = 0; i < 200'000; ++i) words.push_back({i / 10.0, (i + 1) / 10.0, " a", 1});
  const std::vector segments{spoken_by("", {}, std::move(words))};
  const WriterOptions options{
      .max_line_width = 1000, .max_line_count = 1000, .highlight_words = true};
  std::size_t bytes = 0;
  for (const Cue& cue : word_cues(segments, options)) bytes += cue.text.size();
  EXPECT_LT(bytes, 150u * 2 * 200'000);
}

TEST(SubtitleCues, WithAHighlightedWordAreShortWhereWordsAreLong) {
  std::vector<Word> words;
  for (int i = 0; i < 20; ++i) {
    words.push_back({double(i), i + 1.0, " " + std::string(i == 10 ? 3000 : 99, 'a'), 1});
  }
  const std::vector segments{spoken_by("", {}, std::move(words))};
  const auto cues = word_cues(segments, {.highlight_words = true});
  ASSERT_EQ(cues.size(), 20u);
  EXPECT_EQ(cues[0].text.size(), 999u);
  EXPECT_EQ(cues[10].text.size(), 3000u);
  EXPECT_EQ(cues[11].text.size(), 899u);
}

TEST(SubtitleCues, OfASegmentWithoutWordsHaveItsText) {
  std::vector segments{spoken_by("", {}, {{0, 1, " one", 1}}),
                       spoken_by("", {}, {{1, 2, " two", 1}}),
                       spoken_by("", {}, {{2, 3, " three", 1}})};
  segments[1].words.clear();
  EXPECT_EQ(cue_table(word_cues(segments, flowing())),
            (CueTable{"0-1 : one", "1-2 : two", "2-3 : three"}));
}

TEST(SubtitleCues, AreNeverEmpty) {
  EXPECT_EQ(segment_cue({.start = 0, .end = 1, .text = " \n "}, {}), std::nullopt);
  const std::vector segments{spoken_by("", {}, {{0, 1, " ", 1}}),
                             spoken_by("", {}, {{1, 2, " b", 1}})};
  EXPECT_EQ(cue_table(word_cues(segments, {})), (CueTable{"1-2 : b"}));
}

TEST(SubtitleCues, OfASegmentHaveALength) {
  const auto cue = segment_cue({.start = 2, .end = 1, .text = " x"}, {});
  ASSERT_TRUE(cue);
  EXPECT_EQ(cue->start, 2);
  EXPECT_GT(cue->end, 2);
}

}  // namespace
}  // namespace protocol
