#include <gtest/gtest.h>

#include <cmath>

#include "engine/whisper/decoding/token_decoder.h"

namespace engine {
namespace {

constexpr int eot = 3;

// Logits whose softmax is `probabilities`.
at::Tensor log_rows(const std::vector<std::vector<float>>& probabilities) {
  std::vector<at::Tensor> tensors;
  for (const auto& row : probabilities) tensors.push_back(at::log(at::tensor(row)));
  return at::stack(tensors);
}

TEST(BeamSearch, TheFirstStepSpreadsEqualRows) {
  const auto search = make_beam_search(2, 1, eot);
  EXPECT_FALSE(search->update(log_rows({{.5F, .3F, .1F, .1F}, {.5F, .3F, .1F, .1F}})));
  EXPECT_EQ(search->sampled(), (std::vector<std::vector<int>>{{0}, {1}}));
  EXPECT_EQ(search->source_rows(), (std::vector<int>{0, 0}));
}

TEST(BeamSearch, ALateWinnerReplacesAnEarlyOne) {
  const auto search = make_beam_search(2, 1, eot);
  search->update(log_rows({{.5F, .4F, .05F, .05F}, {.5F, .4F, .05F, .05F}}));
  // From 0: .5·.3 at best; from 1: .4·.9 and .4·.05.
  search->update(log_rows({{.3F, .25F, .25F, .2F}, {.02F, .9F, .05F, .03F}}));
  EXPECT_EQ(search->sampled(), (std::vector<std::vector<int>>{{1, 1}, {0, 0}}));
  EXPECT_EQ(search->source_rows(), (std::vector<int>{1, 0}));
}

TEST(BeamSearch, TheLogprobsOfASequenceAreThoseOfItsOwnTokens) {
  const auto search = make_beam_search(2, 1, eot);
  search->update(log_rows({{.5F, .4F, .05F, .05F}, {.5F, .4F, .05F, .05F}}));
  search->update(log_rows({{.3F, .25F, .25F, .2F}, {.02F, .9F, .05F, .03F}}));
  const auto hypotheses = search->finalize();
  ASSERT_EQ(hypotheses[0].tokens, (std::vector<int>{1, 1}));
  ASSERT_EQ(hypotheses[0].logprobs.size(), 2U);
  EXPECT_NEAR(hypotheses[0].logprobs[0], std::log(.4), 1e-6);
  EXPECT_NEAR(hypotheses[0].logprobs[1], std::log(.9), 1e-6);
  EXPECT_EQ(hypotheses[1].tokens.size(), hypotheses[1].logprobs.size());
}

TEST(BeamSearch, EndsWhenAsManySequencesHaveEndedAsThereAreBeams) {
  const auto search = make_beam_search(2, 1, eot);
  EXPECT_FALSE(search->update(log_rows({{.3F, .2F, .1F, .4F}, {.3F, .2F, .1F, .4F}})));
  EXPECT_TRUE(search->update(log_rows({{.1F, .1F, .1F, .7F}, {.1F, .1F, .1F, .7F}})));
  const auto finished = search->finalize();
  ASSERT_EQ(finished.size(), 2U);
  EXPECT_EQ(finished[0].tokens, std::vector<int>{});
  EXPECT_NEAR(finished[0].sum_logprob, std::log(.4), 1e-6);
  EXPECT_EQ(finished[1].tokens, std::vector<int>{0});
}

TEST(BeamSearch, PatienceWaitsForMoreSequences) {
  const auto search = make_beam_search(2, 2, eot);
  search->update(log_rows({{.3F, .2F, .1F, .4F}, {.3F, .2F, .1F, .4F}}));
  EXPECT_FALSE(search->update(log_rows({{.1F, .1F, .1F, .7F}, {.1F, .1F, .1F, .7F}})));
  EXPECT_TRUE(search->update(log_rows({{.1F, .1F, .1F, .7F}, {.1F, .1F, .1F, .7F}})));
  EXPECT_EQ(search->finalize().size(), 4U);
}

TEST(BeamSearch, LiveSequencesFillUpWhatHasNotEnded) {
  const auto search = make_beam_search(2, 1, eot);
  search->update(log_rows({{.6F, .3F, .1F, 0}, {.6F, .3F, .1F, 0}}));
  const auto hypotheses = search->finalize();
  ASSERT_EQ(hypotheses.size(), 2U);
  EXPECT_EQ(hypotheses[0].tokens, std::vector<int>{0});
  EXPECT_EQ(hypotheses[1].tokens, std::vector<int>{1});
}

TEST(Rank, NormalisesByTheLengthOrByThePenalty) {
  const std::vector<Hypothesis> hypotheses{{{1}, -1.0}, {{1, 2, 3, 4}, -2.0}};
  EXPECT_EQ(rank(hypotheses, std::nullopt), 1U);  // -1 against -0.5
  EXPECT_EQ(rank(hypotheses, 0.0), 0U);           // -1 against -2
  EXPECT_EQ(rank(hypotheses, 1.0), 0U);           // -1 against -1.33
}

TEST(Rank, TheFirstOfEqualsWins) {
  EXPECT_EQ(rank({{{1}, -1.0}, {{2}, -1.0}}, std::nullopt), 0U);
}

}  // namespace
}  // namespace engine
