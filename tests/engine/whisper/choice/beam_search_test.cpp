#include <gtest/gtest.h>

#include <cmath>

#include "tests/engine/whisper/choice/chosen.h"

namespace engine {
namespace {

constexpr int eot = 3;

TEST(BeamSearch, TheFirstStepSpreadsEqualRows) {
  const auto search = make_beam_search(2, eot);
  const StepOutcome first = chosen(*search, log_rows({{.5F, .3F, .1F, .1F}, {.5F, .3F, .1F, .1F}}));
  EXPECT_EQ(tokens_of(first), (std::vector<int>{0, 1}));
  EXPECT_EQ(sources_of(first), (std::vector<int>{0, 0}));
  EXPECT_TRUE(first.ended.empty());
}

TEST(BeamSearch, ALateWinnerReplacesAnEarlyOne) {
  const auto search = make_beam_search(2, eot);
  chosen(*search, log_rows({{.5F, .4F, .05F, .05F}, {.5F, .4F, .05F, .05F}}));
  // From 0: .5·.3 at best; from 1: .4·.9 and .4·.05.
  const StepOutcome second =
      chosen(*search, log_rows({{.3F, .25F, .25F, .2F}, {.02F, .9F, .05F, .03F}}));
  EXPECT_EQ(tokens_of(second), (std::vector<int>{1, 0}));
  EXPECT_EQ(sources_of(second), (std::vector<int>{1, 0}));
  EXPECT_NEAR(second.rows[0].logprob, std::log(.9), 1e-6);
  EXPECT_NEAR(second.rows[0].sum_logprob, std::log(.4 * .9), 1e-6);
}

TEST(BeamSearch, WhatEndsLeavesItsPlaceToTheNextLikely) {
  const auto search = make_beam_search(2, eot);
  const StepOutcome first = chosen(*search, log_rows({{.3F, .2F, .1F, .4F}, {.3F, .2F, .1F, .4F}}));
  ASSERT_EQ(first.ended.size(), 1U);
  EXPECT_NEAR(first.ended[0].sum_logprob, std::log(.4), 1e-6);
  EXPECT_EQ(tokens_of(first), (std::vector<int>{0, 1}));
  const StepOutcome second = chosen(*search, log_rows({{.1F, .1F, .1F, .7F}, {.2F, .2F, 0, .6F}}));
  ASSERT_EQ(second.ended.size(), 2U);
  EXPECT_EQ(second.ended[0].source, 0);
  EXPECT_EQ(second.ended[1].source, 1);
}

TEST(BeamSearch, AnEndThatIsLessLikelyThanAllBeamsIsNone) {
  const auto search = make_beam_search(2, eot);
  const StepOutcome first =
      chosen(*search, log_rows({{.5F, .3F, .05F, .15F}, {.5F, .3F, .05F, .15F}}));
  EXPECT_TRUE(first.ended.empty());
}

}  // namespace
}  // namespace engine
