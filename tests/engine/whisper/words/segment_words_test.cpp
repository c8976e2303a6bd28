#include "engine/whisper/words/segment_words.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/words/made_up_words.h"

namespace engine {
namespace {

struct SegmentsCase {
  const char* what;
  double window_start;
  double last_speech_end;
  std::vector<AlignedWord> words;
  std::vector<SegmentWords> segments;
  std::vector<SegmentWords> expected;
};

void check(const SegmentsCase& c) {
  std::vector<SegmentWords> segments = c.segments;
  give_words_to_segments(c.words, c.window_start, c.last_speech_end, {}, segments);
  ASSERT_EQ(segments.size(), c.expected.size()) << c.what;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const SegmentWords& expected = c.expected[i];
    EXPECT_EQ(segments[i].start, expected.start) << c.what << ", segment " << i;
    EXPECT_EQ(segments[i].end, expected.end) << c.what << ", segment " << i;
    ASSERT_EQ(texts(segments[i].words), texts(expected.words)) << c.what << ", segment " << i;
    for (std::size_t k = 0; k < expected.words.size(); ++k) {
      const AlignedWord& word = expected.words[k];
      EXPECT_EQ(segments[i].words[k].start, word.start) << c.what << ", " << word.word;
      EXPECT_EQ(segments[i].words[k].end, word.end) << c.what << ", " << word.word;
      EXPECT_EQ(segments[i].words[k].probability, word.probability) << c.what;
      EXPECT_EQ(segments[i].words[k].text_tokens,
                static_cast<int>(segments[i].words[k].tokens.size()))
          << c.what;
    }
  }
}

// The times expected here are those of openai-whisper 20250625.
TEST(SegmentWords, AreThoseOfTheReference) {
  const SegmentsCase cases[] = {
      {"two segments, signs that move, a stop that is too long",
       100,
       99.5,
       {made_up_word(" And", 0.0, 0.34), made_up_word(" so", 0.34, 0.6),
        made_up_word(",", 0.6, 0.72), made_up_word(" my", 0.72, 1.1),
        made_up_word(" friends", 1.1, 1.62, 2), made_up_word(".", 1.62, 4.0),
        made_up_word(" Ask", 4.0, 4.3), made_up_word(" (", 4.3, 4.32),
        made_up_word("not", 4.32, 4.7), made_up_word(")", 4.7, 4.8)},
       {{100.0, 102.0, 7, {}}, {104.0, 104.8, 4, {}}},
       {{100.0,
         101.62,
         7,
         {made_up_word(" And", 100.0, 100.34), made_up_word(" so,", 100.34, 100.6),
          made_up_word(" my", 100.72, 101.1), made_up_word(" friends.", 101.1, 101.62)}},
        {104.0,
         104.7,
         4,
         {made_up_word(" Ask", 104.0, 104.3), made_up_word(" (not)", 104.32, 104.7)}}}},
      {"two long words after a pause",
       30,
       20,
       {made_up_word(" One", 0.0, 6.0), made_up_word(" two", 6.0, 9.0),
        made_up_word(" three", 9.0, 9.3), made_up_word(" four", 9.3, 9.6),
        made_up_word(" five", 9.6, 9.9)},
       {{0.0, 9.9, 5, {}}},
       {{37.8,
         39.9,
         5,
         {made_up_word(" One", 37.8, 38.4), made_up_word(" two", 38.4, 39.0),
          made_up_word(" three", 39.0, 39.3), made_up_word(" four", 39.3, 39.6),
          made_up_word(" five", 39.6, 39.9)}}}},
      {"a first word that begins long before its segment",
       0,
       0,
       {made_up_word(" One", 0.0, 0.9), made_up_word(" two", 0.9, 1.3),
        made_up_word(" three", 1.3, 1.7)},
       {{0.6, 1.7, 3, {}}},
       {{0.6,
         1.7,
         3,
         {made_up_word(" One", 0.5, 0.9), made_up_word(" two", 0.9, 1.3),
          made_up_word(" three", 1.3, 1.7)}}}},
      {"a last word that ends long after its segment",
       0,
       0,
       {made_up_word(" One", 0.0, 0.4), made_up_word(" two", 0.4, 0.8),
        made_up_word(" three", 0.8, 2.8)},
       {{0.0, 1.0, 3, {}}},
       {{0.0,
         1.0,
         3,
         {made_up_word(" One", 0.0, 0.4), made_up_word(" two", 0.4, 0.8),
          made_up_word(" three", 0.8, 0.8 + 0.4)}}}},
      {"a word that took in the pause after a full stop",
       0,
       0,
       {made_up_word(" One", 0.0, 0.3), made_up_word(".", 0.3, 0.4),
        made_up_word(" Two", 0.4, 4.4)},
       {{0.0, 4.4, 3, {}}},
       {{0.0, 4.4, 3, {made_up_word(" One.", 0.0, 0.3), made_up_word(" Two", 3.8, 4.4)}}}},
      {"a first word that ends before its segment begins",
       0,
       0,
       {made_up_word(" One", 0.0, 0.4), made_up_word(" two", 1.0, 1.4)},
       {{1.0, 1.4, 2, {}}},
       {{0.0, 1.4, 2, {made_up_word(" One", 0.0, 0.4), made_up_word(" two", 1.0, 1.4)}}}},
      {"times are rounded; segments without words keep theirs",
       12.34,
       12,
       {made_up_word(" One", 0.0, 0.3), made_up_word(" two", 0.3, 0.62)},
       {{12.345, 13.0, 2, {}}, {13.0, 14.0, 0, {}}, {14.0, 15.0, 2, {}}},
       {{12.34, 12.96, 2, {made_up_word(" One", 12.34, 12.64), made_up_word(" two", 12.64, 12.96)}},
        {13.0, 14.0, 0, {}},
        {14.0, 15.0, 2, {}}}},
  };
  for (const SegmentsCase& c : cases) check(c);
}

TEST(SegmentWords, MayBeNone) {
  check({"no words", 0, 0, {}, {{1, 2, 3, {}}}, {{1, 2, 3, {}}}});
  check({"no segments", 0, 0, {made_up_word(" a", 0, 1)}, {}, {}});
}

TEST(SegmentWords, AWordAcrossTwoSegmentsBelongsToTheFirst) {
  check({"three tokens and one",
         0,
         0,
         {made_up_word(" a", 0.0, 0.5), made_up_word(" b", 0.5, 1.0, 3)},
         {{0, 0.75, 2, {}}, {0.75, 1, 2, {}}},
         {{0, 1.0, 2, {made_up_word(" a", 0.0, 0.5), made_up_word(" b", 0.5, 1.0)}},
          {0.75, 1, 2, {}}}});
}

TEST(SegmentWords, TheSpeechBeforeASegmentEndsWithTheSegmentBefore) {
  // 0.75 s is longer than twice the median of 0.25 s, but ends no pause of four times that.
  std::vector<AlignedWord> words;
  for (int i = 0; i < 4; ++i) words.push_back(made_up_word(" a", 0.25 * i, 0.25 * (i + 1)));
  words.push_back(made_up_word(" b", 1, 1.75));
  std::vector<SegmentWords> segments{{0, 1, 4, {}}, {1, 1.75, 1, {}}};
  give_words_to_segments(words, 0, 0, {}, segments);
  EXPECT_EQ(segments[1].words[0].start, 1);
}

}  // namespace
}  // namespace engine
