#include "engine/whisper/words/word_durations.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/engine/whisper/words/made_up_words.h"

namespace engine {
namespace {

struct Times {
  double start;
  double end;
};

void expect_durations(const std::vector<AlignedWord>& words, const std::vector<Times>& times,
                      const char* what) {
  ASSERT_EQ(words.size(), times.size()) << what;
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_DOUBLE_EQ(words[i].start, times[i].start) << what << ", word " << i;
    EXPECT_DOUBLE_EQ(words[i].end, times[i].end) << what << ", word " << i;
  }
}

TEST(WordDurations, AreLimitedByTheirMedian) {
  struct Case {
    const char* what;
    std::vector<Times> words;
    double median;
  };
  const Case cases[] = {
      {"no words", {}, 0},
      {"no word has a length", {{1, 1}, {2, 2}}, 0},
      {"an odd count", {{0, 0.5}, {1, 1.25}, {2, 2.375}}, 0.375},
      {"the mean of the middle two", {{0, 0.5}, {1, 1.25}, {2, 2.125}, {3, 3.375}}, 0.3125},
      {"words without a length do not count", {{0, 0}, {0, 0}, {0, 0}, {1, 1.25}}, 0.25},
      {"at most 0.7 s", {{0, 5}}, 0.7},
  };
  for (const Case& c : cases) {
    std::vector<AlignedWord> words;
    for (const Times& times : c.words) words.push_back(made_up_word(" a", times.start, times.end));
    const DurationLimits limits = duration_limits(words);
    EXPECT_DOUBLE_EQ(limits.median, c.median) << c.what;
    EXPECT_DOUBLE_EQ(limits.max, 2 * c.median) << c.what;
  }
}

TEST(WordDurations, EndWithTheSentence) {
  struct Case {
    const char* what;
    std::vector<AlignedWord> words;
    std::vector<Times> times;
  };
  const Case cases[] = {
      {"a long mark is shortened from behind",
       {made_up_word(" a", 0, 1), made_up_word(".", 1, 9)},
       {{0, 1}, {1, 2}}},
      {"a long word after a mark is shortened from in front",
       {made_up_word("。", 0, 1), made_up_word(" a", 1, 9)},
       {{0, 1}, {8, 9}}},
      {"a long word elsewhere stays",
       {made_up_word(" a", 0, 9), made_up_word(" b", 9, 18)},
       {{0, 9}, {9, 18}}},
      {"the first word stays, mark or not",
       {made_up_word(".", 0, 9), made_up_word(".", 9, 10)},
       {{0, 9}, {9, 10}}},
      {"a mark of just the limit stays",
       {made_up_word(" a", 0, 1), made_up_word("?", 1, 2)},
       {{0, 1}, {1, 2}}},
      {"another sign is no mark",
       {made_up_word(" a", 0, 1), made_up_word(",", 1, 9)},
       {{0, 1}, {1, 9}}},
  };
  for (const Case& c : cases) {
    std::vector<AlignedWord> words = c.words;
    shorten_at_sentence_ends(words, {0.5, 1});
    expect_durations(words, c.times, c.what);
  }
}

TEST(WordDurations, DoNotTakeInThePauseBefore) {
  struct Case {
    const char* what;
    double last_speech_end;
    std::vector<Times> words;
    std::vector<Times> times;
  };
  const Case cases[] = {
      {"no words", 0, {}, {}},
      {"a long first word after a pause", 0, {{1, 9}, {9, 9.5}}, {{8, 9}, {9, 9.5}}},
      {"a long first word without a pause", 8, {{1, 9}, {9, 9.5}}, {{1, 9}, {9, 9.5}}},
      {"a pause of exactly four medians is none", 7, {{1, 9}}, {{1, 9}}},
      {"a first word of just the limit", 0, {{8, 9}, {9, 9.5}}, {{8, 9}, {9, 9.5}}},
      {"two words that are long together", 0, {{8, 9}, {9.5, 10.25}}, {{8, 9}, {9.5, 10.25}}},
      {"two words of just twice the limit", 0, {{8, 8.5}, {8.5, 10}}, {{8, 8.5}, {8.5, 10}}},
      {"a long second word moves the border", 0, {{8, 8.5}, {8.5, 11}}, {{9, 10}, {10, 11}}},
      {"the border is no earlier than half of the second word's end",
       -9,
       {{-2, 0.25}, {0.25, 1.5}},
       {{0, 0.75}, {0.75, 1.5}}},
      {"no word starts before the recording", -9, {{-3, 0.5}}, {{0, 0.5}}},
  };
  for (const Case& c : cases) {
    std::vector<AlignedWord> words;
    for (const Times& times : c.words) words.push_back(made_up_word(" a", times.start, times.end));
    shorten_after_pause(words, {0.5, 1}, c.last_speech_end);
    expect_durations(words, c.times, c.what);
  }
}

}  // namespace
}  // namespace engine
