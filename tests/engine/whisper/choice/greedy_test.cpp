#include <gtest/gtest.h>

#include <cmath>

#include "engine/whisper/decoding/token_decoder.h"

namespace engine {
namespace {

constexpr int end_token = 3;

at::Tensor rows(const std::vector<std::vector<float>>& values) {
  std::vector<at::Tensor> tensors;
  for (const auto& row : values) tensors.push_back(at::tensor(row));
  return at::stack(tensors);
}

TEST(Greedy, TakesTheLikeliestTokenOfEachRow) {
  const auto decoder = make_greedy(2, 0, end_token, 0);
  EXPECT_FALSE(decoder->update(rows({{0, 5, 0, 0}, {7, 0, 0, 0}})));
  EXPECT_EQ(decoder->sampled(), (std::vector<std::vector<int>>{{1}, {0}}));
}

TEST(Greedy, EndsWhenEveryRowHasEnded) {
  const auto decoder = make_greedy(2, 0, end_token, 0);
  EXPECT_FALSE(decoder->update(rows({{0, 0, 0, 9}, {0, 9, 0, 0}})));
  EXPECT_TRUE(decoder->update(rows({{0, 9, 0, 0}, {0, 0, 0, 9}})));
  EXPECT_EQ(decoder->sampled()[0], (std::vector<int>{end_token, end_token}));
  EXPECT_EQ(decoder->finalize()[0].tokens, std::vector<int>{});
  EXPECT_EQ(decoder->finalize()[1].tokens, std::vector<int>{1});
}

TEST(Greedy, ARowThatHasEndedAddsNoMoreLogprob) {
  const auto decoder = make_greedy(1, 0, end_token, 0);
  decoder->update(rows({{0, 0, 0, 0.5F}}));
  const double ended = decoder->finalize()[0].sum_logprob;
  EXPECT_NEAR(ended, 0.5 - std::log(3 + std::exp(0.5)), 1e-6);
  decoder->update(rows({{1, 2, 3, 4}}));
  EXPECT_EQ(decoder->finalize()[0].sum_logprob, ended);
}

TEST(Greedy, EveryTokenHasItsOwnLogprob) {
  const auto decoder = make_greedy(1, 0, end_token, 0);
  decoder->update(rows({{0, 2, 0, 0}}));
  decoder->update(rows({{4, 0, 0, 0}}));
  decoder->update(rows({{0, 0, 0, 9}}));
  const Hypothesis hypothesis = decoder->finalize()[0];
  ASSERT_EQ(hypothesis.logprobs.size(), 2U);
  EXPECT_NEAR(hypothesis.logprobs[0], 2 - std::log(3 + std::exp(2)), 1e-6);
  EXPECT_NEAR(hypothesis.logprobs[1], 4 - std::log(3 + std::exp(4)), 1e-6);
}

std::vector<int> samples(std::uint64_t seed) {
  const auto decoder = make_greedy(1, 1, 99, seed);
  for (int i = 0; i < 32; ++i) decoder->update(at::zeros({1, 50}));
  return decoder->sampled()[0];
}

TEST(Sampling, TheSameSeedGivesTheSameTokens) {
  EXPECT_EQ(samples(7), samples(7));
  EXPECT_NE(samples(7), samples(8));
}

TEST(Sampling, NeverTakesAMaskedToken) {
  const auto decoder = make_greedy(1, 1, 99, 1);
  at::Tensor logits = at::zeros({1, 3});
  logits.select(1, 0).fill_(-INFINITY);
  for (int i = 0; i < 64; ++i) decoder->update(logits);
  for (const int token : decoder->sampled()[0]) EXPECT_NE(token, 0);
}

TEST(Sampling, ALowTemperatureStaysWithTheLikeliest) {
  const auto decoder = make_greedy(1, 0.01, 99, 1);
  for (int i = 0; i < 16; ++i) decoder->update(rows({{0, 1, 0}}));
  EXPECT_EQ(decoder->sampled()[0], std::vector<int>(16, 1));
}

}  // namespace
}  // namespace engine
