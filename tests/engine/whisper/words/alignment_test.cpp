#include "engine/whisper/words/alignment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "tests/engine/whisper/decoding/byte_tokenizer.h"
#include "tests/engine/whisper/words/made_up_attention.h"
#include "tests/engine/whisper/words/made_up_words.h"

namespace engine {
namespace {

constexpr int positions = 30;

class Alignment : public ::testing::Test {
 protected:
  std::vector<AlignedWord> align(const std::string& text, std::int64_t frames,
                                 const char* language) {
    const std::vector<int> tokens = tokenizer_.encode(text);
    std::vector<float> probabilities;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      probabilities.push_back(1 / static_cast<float>(1 << i));
    }
    const int rows = static_cast<int>(tokens.size()) + 5;
    const std::vector<float> weights = made_up_attention(2, rows, positions);
    return align_words(tokenizer_, language,
                       {tokens, probabilities, {weights, 2, rows, positions}, 3, frames});
  }

  Tokenizer tokenizer_ = byte_tokenizer();
};

void expect_times(const std::vector<AlignedWord>& words,
                  const std::vector<std::pair<double, double>>& times) {
  ASSERT_EQ(words.size(), times.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_DOUBLE_EQ(words[i].start, times[i].first) << words[i].word;
    EXPECT_DOUBLE_EQ(words[i].end, times[i].second) << words[i].word;
  }
}

// Times of openai-whisper 20250625 from the same attention.
TEST_F(Alignment, FollowsTheAttention) {
  const std::vector<AlignedWord> words = align(" Hi, you.", 60, "en");
  EXPECT_EQ(texts(words), (std::vector<std::string>{" Hi", ",", " you", "."}));
  expect_times(words, {{0, 0.24}, {0.24, 0.28}, {0.28, 0.42}, {0.42, 0.44}});
}

TEST_F(Alignment, TellsWhereTheLastTokenOfAWordWasLookedFor) {
  std::vector<int> attended;
  for (const AlignedWord& word : align(" Hi, you.", 60, "en")) attended.push_back(word.attended);
  ASSERT_EQ(attended.size(), 4u);
  EXPECT_TRUE(std::ranges::is_sorted(attended)) << testing::PrintToString(attended);
  // Row r looks at about 2r; the third row is for the first of the tokens, of which " Hi" has
  // three.
  EXPECT_NEAR(attended[0], 10, 2);
  EXPECT_NEAR(attended[3], 22, 2);
}

TEST_F(Alignment, LooksOnlyAtTheWindowsOwnFrames) {
  expect_times(align(" Hi, you.", 40, "en"), {{0, 0.24}, {0.24, 0.28}, {0.28, 0.38}, {0.38, 0.38}});
}

TEST_F(Alignment, TakesMoreFramesThanPositionsForAllPositions) {
  expect_times(align(" Hi, you.", 3000, "en"),
               {{0, 0.24}, {0.24, 0.28}, {0.28, 0.42}, {0.42, 0.44}});
}

TEST_F(Alignment, GivesWordsTheMeanProbabilityOfTheirTokens) {
  const std::vector<AlignedWord> words = align(" Hi, you.", 60, "en");
  EXPECT_EQ(words[0].tokens, (std::vector<int>{' ', 'H', 'i'}));
  EXPECT_DOUBLE_EQ(words[0].probability, 1.75 / 3);
  EXPECT_DOUBLE_EQ(words[1].probability, 0.125);
}

TEST_F(Alignment, SplitsAtCharactersWhereALanguageHasNoSpaces) {
  EXPECT_EQ(texts(align("日本", 60, "ja")), (std::vector<std::string>{"日", "本"}));
  EXPECT_EQ(texts(align("日本", 60, "en")), (std::vector<std::string>{"日本"}));
}

TEST_F(Alignment, OfAWindowWithoutPositionsIsAtItsStart) {
  for (const std::int64_t frames : {0, 1}) {
    expect_times(align(" Hi you", frames, "en"), {{0, 0}, {0, 0}});
  }
}

TEST_F(Alignment, OfNoTextIsEmpty) {
  EXPECT_TRUE(align("", 60, "en").empty());
}

TEST_F(Alignment, NeedsARowAndAProbabilityForEachToken) {
  const std::vector<int> tokens = tokenizer_.encode(" Hi");
  const std::vector<float> weights = made_up_attention(1, 4, positions);
  const AlignmentAttention attention{weights, 1, 4, positions};
  const std::vector<float> probabilities(3, 0.5F);
  EXPECT_NO_THROW(align_words(tokenizer_, "en", {tokens, probabilities, attention, 0, 60}));
  EXPECT_THROW(align_words(tokenizer_, "en", {tokens, probabilities, attention, 1, 60}),
               std::invalid_argument);
  EXPECT_THROW(align_words(tokenizer_, "en", {tokens, {}, attention, 0, 60}),
               std::invalid_argument);
}

}  // namespace
}  // namespace engine
