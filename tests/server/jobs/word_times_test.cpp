#include "server/jobs/word_times.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace server {
namespace {

using protocol::Word;
using Words = std::vector<Word>;
using Texts = std::vector<std::string>;

// Words of half a second, with pauses of a tenth between them.
Words spoken(const Texts& texts) {
  Words words;
  double at = 10;
  for (const auto& text : texts) {
    words.push_back({at, at + 0.5, text, 0.8, 1});
    at += 0.6;
  }
  return words;
}

Texts texts_of(const Words& words) {
  Texts texts;
  for (const Word& word : words) texts.push_back(word.word);
  return texts;
}

std::string joined_words(const Words& words) {
  std::string text;
  for (const Word& word : words) text += word.word;
  return text;
}

TEST(WordTimes, WordsBeginWithTheirWhiteSpace) {
  EXPECT_EQ(words_of(" the last  lamp out."), (Texts{" the", " last", "  lamp", " out."}));
  EXPECT_EQ(words_of("one"), Texts{"one"});
  EXPECT_EQ(words_of(""), Texts{});
}

TEST(WordTimes, LettersOfScriptsWithoutSpacesAreWords) {
  EXPECT_EQ(words_of("今日は、OK です。"), (Texts{"今", "日", "は、", "OK", " で", "す。"}));
  EXPECT_EQ(words_of("ที่"), Texts{"ที่"}) << "marks belong to their letter";
}

TEST(WordTimes, UntouchedWordsStayBitEqual) {
  const Words before = spoken({" the", " last", " lamp", " out"});
  const Words now = timed_words(before, " the last big lamp out", 10, 12.3);
  EXPECT_EQ(texts_of(now), (Texts{" the", " last", " big", " lamp", " out"}));
  EXPECT_EQ(now[1], before[1]);
  EXPECT_EQ(now[3], before[2]);
  EXPECT_EQ(now[4], before[3]);
  EXPECT_EQ(now[2].probability, 1);
  EXPECT_EQ(now[2].start, before[1].end) << "the pause is what there is";
  EXPECT_EQ(now[2].end, before[2].start);
}

TEST(WordTimes, AWordTakesTheTimeOfTheOneThatItReplaces) {
  const Words before = spoken({" a", " AAAF", " server"});
  const Words now = timed_words(before, " a IIIF server", 10, 12);
  EXPECT_EQ(now[1], (Word{before[1].start, before[1].end, " IIIF", 1, 0}));
}

TEST(WordTimes, WordsShareATimeByTheirLetters) {
  const Words before = spoken({" x", " wrong", " y"});
  const Words now = timed_words(before, " x abc d y", 10, 12);
  EXPECT_DOUBLE_EQ(now[1].end, 10.975);  // three of four letters of 10.6 to 11.1
  EXPECT_EQ(now[2].start, now[1].end);
  EXPECT_EQ(now[2].end, before[1].end);
}

TEST(WordTimes, CaseAndPunctuationChangeNoTime) {
  const Words before = spoken({" hello", " world", " how"});
  const Words now = timed_words(before, " Hello, world! How", 10, 12);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(now[i].start, before[i].start);
    EXPECT_EQ(now[i].end, before[i].end);
    EXPECT_EQ(now[i].probability, 1);
  }
  EXPECT_EQ(now[0].word, " Hello,");
}

TEST(WordTimes, WordsWithoutASpaceBetweenThemStayTwo) {
  const Words before = spoken({" a", " well", "-known", " man"});
  EXPECT_EQ(timed_words(before, " the well-known man", 10, 13)[2], before[2]);
  const Words now = timed_words(before, " a Well-known man", 10, 13);
  EXPECT_EQ(texts_of(now), (Texts{" a", " Well-known", " man"}));
  EXPECT_EQ(now[1].end, before[2].end);
}

TEST(WordTimes, AWordOfSeveralLettersWithoutSpacesStaysOne) {
  const Words before = spoken({"これ", "は", "ペン", "です"});
  const Words now = timed_words(before, "これは赤いペンです", 10, 13);
  EXPECT_EQ(texts_of(now), (Texts{"これ", "は", "赤", "い", "ペン", "です"}));
  EXPECT_EQ(now[0], before[0]);
  EXPECT_EQ(now[4], before[2]);
}

TEST(WordTimes, NewWordsAloneShareTheSegment) {
  const Words now = timed_words({}, " ab cd", 1, 2);
  EXPECT_EQ(now, (Words{{1, 1.5, " ab", 1, 0}, {1.5, 2, " cd", 1, 0}}));
}

TEST(WordTimes, NothingIsLeftOfWordsThatAreGone) {
  const Words before = spoken({" one", " two", " three"});
  EXPECT_EQ(timed_words(before, " two", 10, 12), Words{before[1]});
}

// Random edits: words are left out, put in, and changed.
class RandomEdits : public testing::TestWithParam<unsigned> {
 protected:
  std::mt19937 random_{GetParam()};
  int below(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  std::string a_word() {
    const Texts some{" a",    " lamp", " the", " Lamp,", " -", "-known", " 5.5",
                     " über", "今",    "です", "ที่",      "、", " ok",    " keeper"};
    return some[static_cast<std::size_t>(below(static_cast<int>(some.size())))];
  }
  Words random_words(int count) {
    Words words;
    double at = 5;
    for (int i = 0; i < count; ++i) {
      const double end = at + below(80) / 100.0;
      words.push_back({at, end, a_word(), below(100) / 100.0, 1});
      at = end + below(3) * 0.1;
    }
    return words;
  }
};

TEST_P(RandomEdits, KeepTheRules) {
  for (int round = 0; round < 300; ++round) {
    const Words before = random_words(below(30));
    const double start = 5;
    const double end = before.empty() ? 9 : before.back().end + below(2);
    Texts edited = texts_of(before);
    for (int i = below(6); i > 0; --i) {
      const int at = below(static_cast<int>(edited.size()) + 1);
      const auto place = edited.begin() + at;
      if (below(2) == 0 || place == edited.end()) {
        edited.insert(place, a_word());
      } else {
        edited.erase(place);
      }
    }
    std::string text;
    for (const auto& word : edited) text += word;
    const Words now = timed_words(before, text, start, end);
    ASSERT_EQ(joined_words(now), text) << "the words are the text";
    double reached = start;
    for (const Word& word : now) {
      ASSERT_GE(word.start, reached) << "in order";
      ASSERT_GE(word.end, word.start);
      ASSERT_LE(word.end, end) << "inside the segment";
      reached = word.end;
      const bool is_old = std::ranges::find(before, word) != before.end();
      ASSERT_TRUE(is_old || word.probability == 1) << "what a person wrote is sure";
    }
  }
}

TEST_P(RandomEdits, WithoutAChangeEveryWordIsBitEqual) {
  for (int round = 0; round < 300; ++round) {
    const Words before = random_words(below(40));
    const double end = before.empty() ? 5 : before.back().end;
    ASSERT_EQ(timed_words(before, joined_words(before), 5, end), before);
  }
}

TEST_P(RandomEdits, WordsAroundOneChangeStayBitEqual) {
  for (int round = 0; round < 300; ++round) {
    Words before = random_words(1 + below(40));
    for (Word& word : before) word.word = " w" + std::to_string(below(5));
    const auto at = static_cast<std::size_t>(below(static_cast<int>(before.size())));
    std::string text;
    for (std::size_t i = 0; i < before.size(); ++i) text += i == at ? " changed" : before[i].word;
    const Words now = timed_words(before, text, 5, before.back().end);
    ASSERT_EQ(now.size(), before.size());
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (i == at) {
        ASSERT_EQ(now[i].start, before[i].start);
        ASSERT_EQ(now[i].end, before[i].end);
      } else {
        ASSERT_EQ(now[i], before[i]);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomEdits, testing::Range(1U, 9U));

TEST(WordTimes, ATextThatIsTooLongToCompareKeepsBothEnds) {
  Words before;
  std::string text;
  for (int i = 0; i < 6000; ++i) {
    before.push_back({i * 1.0, i + 0.5, " a" + std::to_string(i), 0.5, 1});
    const bool is_inside = i > 100 && i < 5900;
    text += (is_inside ? " b" : " a") + std::to_string(i);
  }
  const Words now = timed_words(before, text, 0, 6000);
  ASSERT_EQ(now.size(), before.size());
  EXPECT_EQ(now[100], before[100]);
  EXPECT_EQ(now[5900], before[5900]);
  EXPECT_EQ(now[101].start, before[101].start);
  EXPECT_EQ(now[5899].end, before[5899].end);
}

}  // namespace
}  // namespace server
