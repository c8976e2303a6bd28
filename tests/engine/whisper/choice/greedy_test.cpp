#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/engine/whisper/choice/chosen.h"

namespace engine {
namespace {

constexpr int end_token = 3;

std::unique_ptr<TokenChooser> greedy(int n_rows, double temperature = 0, std::uint64_t seed = 0,
                                     int eot = end_token) {
  ChoiceOptions options;
  options.n_rows = n_rows;
  options.temperature = temperature;
  options.seed = seed;
  return make_greedy(options, eot);
}

TEST(Greedy, TakesTheLikeliestTokenOfEachRow) {
  const auto chooser = greedy(2);
  const StepOutcome outcome = chosen(*chooser, rows({{0, 5, 0, 0}, {7, 0, 0, 0}}));
  EXPECT_EQ(tokens_of(outcome), (std::vector<int>{1, 0}));
  EXPECT_EQ(sources_of(outcome), (std::vector<int>{0, 1}));
}

TEST(Greedy, ARowThatHasEndedKeepsItsEnd) {
  const auto chooser = greedy(2);
  EXPECT_EQ(tokens_of(chosen(*chooser, rows({{0, 0, 0, 9}, {0, 9, 0, 0}}))),
            (std::vector<int>{end_token, 1}));
  EXPECT_EQ(tokens_of(chosen(*chooser, rows({{0, 9, 0, 0}, {0, 0, 9, 0}}))),
            (std::vector<int>{end_token, 2}));
}

TEST(Greedy, ARowThatHasEndedAddsNoMoreLogprob) {
  const auto chooser = greedy(1);
  const float ended = chosen(*chooser, rows({{0, 0, 0, 0.5F}})).rows[0].sum_logprob;
  EXPECT_NEAR(ended, 0.5 - std::log(3 + std::exp(0.5)), 1e-6);
  EXPECT_EQ(chosen(*chooser, rows({{1, 2, 3, 4}})).rows[0].sum_logprob, ended);
}

TEST(Greedy, EveryTokenHasItsOwnLogprobAndTheirSum) {
  const auto chooser = greedy(1);
  const ChosenToken first = chosen(*chooser, rows({{0, 2, 0, 0}})).rows[0];
  const ChosenToken second = chosen(*chooser, rows({{4, 0, 0, 0}})).rows[0];
  EXPECT_NEAR(first.logprob, 2 - std::log(3 + std::exp(2)), 1e-6);
  EXPECT_NEAR(second.logprob, 4 - std::log(3 + std::exp(4)), 1e-6);
  EXPECT_EQ(second.sum_logprob, first.logprob + second.logprob);
}

std::vector<int> samples(std::uint64_t seed) {
  const auto chooser = greedy(1, 1, seed, 99);
  std::vector<int> tokens;
  for (int i = 0; i < 32; ++i) {
    tokens.push_back(chosen(*chooser, equal_rows(1, 50), i).rows[0].token);
  }
  return tokens;
}

TEST(Sampling, TheSameSeedGivesTheSameTokens) {
  EXPECT_EQ(samples(7), samples(7));
  EXPECT_NE(samples(7), samples(8));
}

TEST(Sampling, NeverTakesAMaskedToken) {
  const auto chooser = greedy(1, 1, 1, 99);
  const Rows logits = rows({{-INFINITY, 0, 0}});
  for (int i = 0; i < 64; ++i) EXPECT_NE(chosen(*chooser, logits, i).rows[0].token, 0);
}

TEST(Sampling, ALowTemperatureStaysWithTheLikeliest) {
  const auto chooser = greedy(1, 0.01, 1, 99);
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(chosen(*chooser, rows({{0, 1, 0}}), i).rows[0].token, 1);
  }
}

}  // namespace
}  // namespace engine
