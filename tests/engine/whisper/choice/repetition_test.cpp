#include "engine/whisper/choice/repetition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace engine {
namespace {

constexpr int end_of_text = 100;
using Ids = std::vector<int>;

// `count` tokens that no other call gives and that never repeat.
Ids various(int count) {
  static int next = 1000;
  Ids tokens(static_cast<std::size_t>(count));
  std::iota(tokens.begin(), tokens.end(), next);
  next += count;
  return tokens;
}

Ids operator+(Ids a, const Ids& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Ids operator*(const Ids& tokens, int times) {
  Ids all;
  for (int i = 0; i < times; ++i) all = all + tokens;
  return all;
}

TEST(TextTokens, AreThoseOfTheVocabularysText) {
  SpecialTokens specials;
  specials.text = {{0, end_of_text}, {end_of_text + 9, end_of_text + 10}};
  EXPECT_EQ(text_tokens(Ids{end_of_text + 5, 7, end_of_text - 1, end_of_text, 8, end_of_text + 9},
                        specials),
            (Ids{7, end_of_text - 1, 8, end_of_text + 9}));
}

TEST(RepetitionPenalty, MakesWhatWasSaidLessLikelyOnce) {
  std::vector<float> logits{3, -3, 3, 0};
  penalize_repetition(logits, Ids{0, 1, 0, 0, 3}, 1.5);
  EXPECT_EQ(logits, (std::vector<float>{2, -4.5, 3, 0}));
}

TEST(RepetitionPenalty, LeavesWhatIsMasked) {
  std::vector<float> logits{-INFINITY, INFINITY};
  penalize_repetition(logits, Ids{0, 1}, 2);
  EXPECT_EQ(logits, (std::vector<float>{-INFINITY, INFINITY}));
}

TEST(RepeatedNgrams, AreNotCompleted) {
  struct Row {
    const char* what;
    Ids text;
    int size;
    Ids masked;
  };
  const Row table[] = {
      {"a pair", {1, 2, 3, 1}, 2, {2}},
      {"two pairs of one beginning", {1, 2, 1, 3, 1}, 2, {2, 3}},
      {"three in a row", {1, 2, 3, 4, 1, 2}, 3, {3}},
      {"two of three are not enough", {1, 2, 3, 9, 2}, 3, {}},
      {"overlapping itself", {5, 5}, 2, {5}},
      {"single tokens", {1, 2}, 1, {1, 2}},
      {"text shorter than the rule", {1}, 3, {}},
      {"no text", {}, 1, {}},
  };
  for (const Row& row : table) {
    std::vector<float> logits(10, 1);
    forbid_repeated_ngrams(logits, row.text, row.size);
    for (int token = 0; token < 10; ++token) {
      const bool expected = std::ranges::find(row.masked, token) != row.masked.end();
      EXPECT_EQ(std::isinf(logits[static_cast<std::size_t>(token)]), expected)
          << row.what << ", token " << token;
    }
  }
}

TEST(Loop, EndsAText) {
  struct Row {
    const char* what;
    Ids text;
    bool loops;
    bool caught;
  };
  const Row table[] = {
      {"nothing", {}, false, false},
      {"text", various(200), false, false},
      {"one token", Ids{1} * 32, true, false},
      {"one token, too short", Ids{1} * 31, false, false},
      {"one token, long", Ids{1} * 64, true, true},
      {"a short sentence three times, as people say it", various(8) * 3, false, false},
      {"a short sentence four times", various(8) * 4, true, false},
      {"a sentence twice", various(20) * 2, false, false},
      {"a sentence three times", various(20) * 3, true, false},
      {"a sentence six times", various(20) * 6, true, true},
      {"the longest sentence", various(30) * 3, true, false},
      {"a longer one", various(31) * 3, false, false},
      {"behind other text", various(150) + various(6) * 6, true, false},
      {"that was left again", Ids{1, 2, 3} * 30 + various(3), false, false},
  };
  for (const Row& row : table) {
    EXPECT_EQ(ends_in_loop(row.text), row.loops) << row.what;
    EXPECT_EQ(is_caught_in_loop(row.text), row.caught) << row.what;
  }
}

TEST(Loop, IsFoundWhereverItIsCutOff) {
  const Ids loop = various(11) * 12;
  for (std::size_t size = 33; size <= loop.size(); ++size) {
    const Ids text = various(40) + Ids(loop.begin(), loop.begin() + static_cast<long>(size));
    EXPECT_TRUE(ends_in_loop(text)) << size;
    EXPECT_EQ(is_caught_in_loop(text), size >= 66) << size;
  }
}

TEST(Loop, IsNotHeardInTextThatIsAllChance) {
  std::mt19937 random(7);
  for (int few : {3, 5, 20}) {
    Ids text;
    for (int i = 0; i < 2000; ++i) {
      text.push_back(static_cast<int>(random() % static_cast<unsigned>(few)));
      EXPECT_FALSE(ends_in_loop(text));
    }
  }
}

}  // namespace
}  // namespace engine
