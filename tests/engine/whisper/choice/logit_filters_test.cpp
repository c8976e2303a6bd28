#include "engine/whisper/choice/logit_filters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "tests/engine/whisper/choice/chosen.h"

namespace engine {
namespace {

constexpr int n_vocab = 51865;
constexpr int ts = 50364;  // <|0.00|>
constexpr int text = 72;

class LogitFiltersTest : public ::testing::Test {
 protected:
  LogitFiltersTest() {
    options_.blank = {' ', specials_.eot};
    options_.max_initial_timestamp_index = 50;
  }

  // Filters logits in which every token but `favourite` is equally likely.
  std::vector<float> filtered(const std::vector<int>& sampled, int favourite = text) const {
    std::vector<float> row(n_vocab);
    row[static_cast<std::size_t>(favourite)] = 20;
    filters().apply({row.data(), 1, n_vocab}, {&sampled, 1});
    return row;
  }
  LogitFilters filters() const { return {options_, specials_}; }
  static bool masked(std::span<const float> row, int token) {
    return std::isinf(row[static_cast<std::size_t>(token)]);
  }

  const SpecialTokens specials_ = special_tokens(n_vocab).value();
  ChoiceOptions options_;
};

TEST_F(LogitFiltersTest, TheFirstTokenIsATimestampWithinTheFirstSecond) {
  const auto row = filtered({});
  EXPECT_TRUE(masked(row, text));
  EXPECT_FALSE(masked(row, ts));
  EXPECT_FALSE(masked(row, ts + 50));
  EXPECT_TRUE(masked(row, ts + 51));
}

TEST_F(LogitFiltersTest, WithoutALimitTheFirstTimestampMayBeAny) {
  options_.max_initial_timestamp_index.reset();
  EXPECT_FALSE(masked(filtered({}), ts + 1500));
}

TEST_F(LogitFiltersTest, AfterTheFirstTimestampComesText) {
  const auto row = filtered({ts});
  EXPECT_FALSE(masked(row, text));
  EXPECT_TRUE(masked(row, ts));
  EXPECT_TRUE(masked(row, ts + 100));
  EXPECT_FALSE(masked(row, specials_.eot));
}

TEST_F(LogitFiltersTest, AClosingTimestampIsFollowedByItsEqualOrLaterOrTheEnd) {
  const auto row = filtered({ts, text, ts + 10}, ts + 10);
  EXPECT_TRUE(masked(row, text));
  EXPECT_TRUE(masked(row, ts + 9));
  EXPECT_FALSE(masked(row, ts + 10));
  EXPECT_FALSE(masked(row, ts + 11));
}

TEST_F(LogitFiltersTest, TimestampsNeverGoBackInsideText) {
  const auto row = filtered({ts, text, ts + 10, ts + 10, text});
  EXPECT_TRUE(masked(row, ts + 10));
  EXPECT_FALSE(masked(row, ts + 11));
}

TEST_F(LogitFiltersTest, TimestampsWinWhenTogetherTheyAreLikelierThanAnyText) {
  // The favourite is masked, and of equally likely tokens 1500 outweigh each single one.
  const auto row = filtered({ts, text}, /*favourite=*/specials_.no_timestamps);
  EXPECT_TRUE(masked(row, text));
  EXPECT_FALSE(masked(filtered({ts, text}, /*favourite=*/text), text));
}

TEST_F(LogitFiltersTest, BlanksAreSuppressedAtTheFirstPositionOnly) {
  options_.timestamps = false;
  EXPECT_TRUE(masked(filtered({}), ' '));
  EXPECT_TRUE(masked(filtered({}), specials_.eot));
  EXPECT_FALSE(masked(filtered({text}), ' '));
  options_.blank.clear();
  EXPECT_FALSE(masked(filtered({}), ' '));
}

TEST_F(LogitFiltersTest, WithoutTimestampsTheirRulesDoNotApply) {
  options_.timestamps = false;
  EXPECT_FALSE(masked(filtered({}), text));
  EXPECT_FALSE(masked(filtered({text}), specials_.no_timestamps));
}

TEST_F(LogitFiltersTest, SuppressedTokensAreMaskedEverywhere) {
  options_.suppress = {text, 100};
  EXPECT_TRUE(masked(filtered({ts}, 101), text));
  EXPECT_TRUE(masked(filtered({ts, 101}, 101), 100));
}

TEST_F(LogitFiltersTest, RowsAreFilteredByTheirOwnTokens) {
  Rows logits = equal_rows(2, n_vocab);
  for (const int row : {0, 1}) logits[row][text] = 20;
  const std::vector<std::vector<int>> rows{{ts, text}, {ts, ts + 5}};
  filters().apply(logits, rows);
  EXPECT_FALSE(masked(logits[0], ts + 1));
  EXPECT_TRUE(masked(logits[1], ts + 6));
}

TEST_F(LogitFiltersTest, TextIsPenalizedInItsOwnRowAndTimestampsAreNot) {
  options_.repetition_penalty = 2;
  Rows logits = equal_rows(2, n_vocab, 4);
  for (const int row : {0, 1}) {  // else timestamps win, and all text is masked
    std::ranges::fill(logits[row].subspan(ts), -20.0F);
  }
  const std::vector<std::vector<int>> rows{{ts, text, 80}, {ts, 81, 82}};
  filters().apply(logits, rows);
  EXPECT_EQ(logits[0][text], 2);
  EXPECT_EQ(logits[0][81], 4);
  EXPECT_EQ(logits[1][81], 2);
  EXPECT_EQ(logits[1][text], 4);
  EXPECT_EQ(logits[0][ts + 10], -20);
}

TEST_F(LogitFiltersTest, NgramsAreCountedInTextWithoutItsTimestamps) {
  options_.no_repeat_ngram_size = 2;
  const auto row = filtered({ts, text, 80, ts + 5, ts + 5, text, ts + 9, ts + 9}, 90);
  EXPECT_TRUE(masked(row, 80));
  EXPECT_FALSE(masked(row, 81));
}

// Of a model to which tokens were added, text at first and then a special one, both behind the
// timestamps.
class LogitsWithTokensBehind : public ::testing::Test {
 protected:
  static constexpr int word = n_vocab;
  static constexpr int mark = n_vocab + 1;

  LogitsWithTokensBehind() {
    specials_.n_vocab = specials_.n_tokens = n_vocab + 2;
    specials_.text.push_back({word, word + 1});
  }

  std::vector<float> filtered(const std::vector<int>& sampled, int favourite) const {
    std::vector<float> row(n_vocab + 2);
    row[static_cast<std::size_t>(favourite)] = 20;
    LogitFilters(options_, specials_).apply({row.data(), 1, n_vocab + 2}, {&sampled, 1});
    return row;
  }
  static bool masked(std::span<const float> row, int token) {
    return std::isinf(row[static_cast<std::size_t>(token)]);
  }

  SpecialTokens specials_ = special_tokens(n_vocab).value();
  ChoiceOptions options_;
};

TEST_F(LogitsWithTokensBehind, TheyAreNoTimestamps) {
  const auto first = filtered({}, word);
  EXPECT_TRUE(masked(first, word));
  EXPECT_TRUE(masked(first, mark));
  EXPECT_FALSE(masked(first, ts + 1500));
  const auto spoken = filtered({ts, word}, word);
  EXPECT_FALSE(masked(spoken, word));
  EXPECT_FALSE(masked(spoken, mark));
  EXPECT_FALSE(masked(spoken, ts + 100)) << "a word does not end what follows it";
}

TEST_F(LogitsWithTokensBehind, ALoneTimestampForbidsTheirTextAlone) {
  const auto row = filtered({ts, text, ts + 10}, specials_.eot);
  EXPECT_TRUE(masked(row, word));
  EXPECT_FALSE(masked(row, mark));
}

TEST_F(LogitsWithTokensBehind, CountAsOthersWhereTimestampsAreLikelier) {
  EXPECT_FALSE(masked(filtered({ts, word}, word), word));
  const auto timestamps = filtered({ts, word}, ts + 40);
  EXPECT_TRUE(masked(timestamps, word));
  EXPECT_TRUE(masked(timestamps, text));
}

}  // namespace
}  // namespace engine
