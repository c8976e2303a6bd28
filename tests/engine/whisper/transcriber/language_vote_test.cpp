#include "engine/whisper/transcriber/language_vote.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

using Probabilities = std::vector<double>;

TEST(LanguageVote, AWindowThatIsSureDecidesAlone) {
  LanguageVote vote(0.5);
  EXPECT_FALSE(vote.add(Probabilities{0.5, 0.3, 0.2}));
  EXPECT_FALSE(vote.add(Probabilities{0.45, 0.35, 0.2}));
  EXPECT_TRUE(vote.add(Probabilities{0.1, 0.3, 0.6}));
  EXPECT_EQ(vote.winner().language, 2u);
  EXPECT_EQ(vote.winner().probability, 0.6);
}

TEST(LanguageVote, OfUnsureWindowsTheMeanDecides) {
  LanguageVote vote(0.5);
  EXPECT_FALSE(vote.add(Probabilities{0.4, 0.35, 0.25}));
  EXPECT_FALSE(vote.add(Probabilities{0.4, 0.35, 0.25}));
  EXPECT_FALSE(vote.add(Probabilities{0.05, 0.5, 0.45}));
  EXPECT_EQ(vote.winner().language, 1u);
  EXPECT_NEAR(vote.winner().probability, 0.4, 1e-9);
}

TEST(LanguageVote, OfOneWindowTheLikeliestWins) {
  LanguageVote vote(1);
  EXPECT_FALSE(vote.add(Probabilities{0.2, 0.8}));
  EXPECT_EQ(vote.winner().language, 1u);
  EXPECT_EQ(vote.winner().probability, 0.8);
}

TEST(LanguageVote, NamesTheLikeliestInTheirOrder) {
  LanguageVote vote(1);
  vote.add(Probabilities{0.2, 0.3, 0.1, 0.4});
  const auto winners = vote.winners(3);
  ASSERT_EQ(winners.size(), 3u);
  EXPECT_EQ(winners[0].language, 3u);
  EXPECT_EQ(winners[1].language, 1u);
  EXPECT_EQ(winners[2].language, 0u);
  EXPECT_EQ(vote.winners(9).size(), 4u);
}

}  // namespace
}  // namespace engine
