#include "engine/whisper/decoding/sequences.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

constexpr int eot = 3;
constexpr std::size_t no_beams = 0;

using Ids = std::vector<int>;

TEST(Sequences, RowsAreCompleteWhenEachHasEnded) {
  Sequences rows(2, eot, no_beams);
  EXPECT_FALSE(rows.add({{{0, eot, -1, -1}, {1, 7, -2, -2}}}));
  EXPECT_TRUE(rows.add({{{0, eot, 0, -1}, {1, eot, -3, -5}}}));
  const auto hypotheses = rows.finalize();
  EXPECT_EQ(hypotheses[0].tokens, Ids{});
  EXPECT_EQ(hypotheses[0].sum_logprob, -1);
  EXPECT_EQ(hypotheses[1].tokens, Ids{7});
  EXPECT_EQ(hypotheses[1].logprobs, std::vector<float>{-2}) << "without that of the end";
  EXPECT_EQ(hypotheses[1].sum_logprob, -5) << "with that of the end";
}

TEST(Sequences, ABeamGoesOnWithTheHistoryItIsGiven) {
  Sequences beams(2, eot, 2);
  beams.add({{{0, 10, -1, -1}, {0, 11, -2, -2}}});
  beams.add({{{1, 20, -.5F, -2.5F}, {0, 21, -3, -4}}});
  EXPECT_EQ(beams.length(), 2);
  const auto hypotheses = beams.finalize();
  ASSERT_EQ(hypotheses.size(), 2U) << "live ones fill up what has not ended";
  EXPECT_EQ(hypotheses[0].tokens, (Ids{11, 20}));
  EXPECT_EQ(hypotheses[0].logprobs, (std::vector<float>{-2, -.5F}));
  EXPECT_EQ(hypotheses[1].tokens, (Ids{10, 21}));
}

TEST(Sequences, LiveBeamsFillUpInTheOrderOfTheirLikelihood) {
  Sequences beams(2, eot, 2);
  beams.add({{{0, 10, -3, -3}, {0, 11, -2, -2}}, {{0, -1}}});
  const auto hypotheses = beams.finalize();
  ASSERT_EQ(hypotheses.size(), 2U);
  EXPECT_EQ(hypotheses[0].tokens, Ids{});
  EXPECT_EQ(hypotheses[1].tokens, Ids{11});
}

TEST(Sequences, EndWhenAsManyBeamsHaveEndedAsAreWanted) {
  Sequences beams(2, eot, 3);
  const std::vector<ChosenToken> rows{{0, 10, -1, -1}, {0, 11, -1, -2}};
  EXPECT_FALSE(beams.add({rows, {{0, -1}}}));
  EXPECT_FALSE(beams.add({rows, {{1, -4}}}));
  EXPECT_TRUE(beams.add({rows, {{0, -5}, {1, -6}}}));
  const auto finished = beams.finalize();
  ASSERT_EQ(finished.size(), 3U) << "patience";
  EXPECT_EQ(finished[0].tokens, Ids{});
  EXPECT_EQ(finished[1].tokens, Ids{11});
  EXPECT_EQ(finished[1].sum_logprob, -4);
  EXPECT_EQ(finished[2].tokens, (Ids{10, 10}));
  EXPECT_EQ(finished[2].tokens.size(), finished[2].logprobs.size());
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
