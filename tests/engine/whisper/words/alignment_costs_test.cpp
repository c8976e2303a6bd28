#include "engine/whisper/words/alignment_costs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/engine/whisper/words/made_up_attention.h"

namespace engine {
namespace {

TEST(AlignmentCosts, AreThoseOfTheReference) {
  const std::vector<float> weights = made_up_attention(2, 6, 14);
  // openai-whisper 20250625, from the logarithms of the same attention: tokens 1 to 4, cropped to
  // 10 positions.
  const std::vector<float> expected = {
      -1.302442F, -0.980330F, -0.980330F, 0.388300F,  0.418507F, 0.430527F, 0.563607F,
      0.563607F,  0.694090F,  0.704466F,  0.435334F,  0.435334F, 0.216072F, 0.194771F,
      0.284242F,  0.109712F,  0.109712F,  0.239504F,  0.508138F, 0.508138F, 0.464480F,
      0.612570F,  0.612570F,  0.429175F,  0.005148F,  0.005148F, 0.454551F, 0.595126F,
      -1.327545F, -1.383914F, 0.605788F,  0.605788F,  0.814682F, 0.762255F, 0.762255F,
      0.436108F,  0.189350F,  -0.826012F, -1.361635F, -1.361635F};
  const std::vector<float> costs = alignment_costs({weights, 2, 6, 14}, 1, 4, 10);
  ASSERT_EQ(costs.size(), expected.size());
  for (std::size_t i = 0; i < costs.size(); ++i) EXPECT_NEAR(costs[i], expected[i], 2e-6) << i;
}

TEST(AlignmentCosts, AreZeroWhereAllTokensLookTheSame) {
  const std::vector<float> weights(3 * 8, 0.125F);
  EXPECT_EQ(alignment_costs({weights, 1, 3, 8}, 0, 3, 8), std::vector<float>(24, 0));
}

TEST(AlignmentCosts, OfATokenThatLooksOutOfTheWindowAreHigh) {
  std::vector<float> weights(2 * 8, 0.125F);
  std::fill_n(weights.begin(), 4, 0.0F);
  EXPECT_EQ(alignment_costs({weights, 1, 2, 8}, 0, 2, 4),
            (std::vector<float>{1, 1, 1, 1, -1, -1, -1, -1}));
}

TEST(AlignmentCosts, DoNotDependOnHowMuchATokenLooksOutOfTheWindow) {
  // A token's weights inside may be as small as numbers get.
  const std::vector<float> weights{0.125F, 0.375F, 0.5F, 0.25F, 0.25F, 0.5F};
  const std::vector<float> faint{0x1p-140F, 0x3p-140F, 1, 0.25F, 0.25F, 0.5F};
  EXPECT_EQ(alignment_costs({faint, 1, 2, 3}, 0, 2, 2),
            alignment_costs({weights, 1, 2, 3}, 0, 2, 2));
}

TEST(AlignmentCosts, OfNothingAreNothing) {
  const std::vector<float> weights(2 * 8, 0.125F);
  EXPECT_TRUE(alignment_costs({weights, 1, 2, 8}, 0, 2, 0).empty());
  EXPECT_TRUE(alignment_costs({weights, 1, 2, 8}, 2, 0, 8).empty());
}

TEST(AlignmentCosts, RefuseShapesThatDoNotFit) {
  const std::vector<float> weights(2 * 3 * 8);
  const AlignmentAttention attention{weights, 2, 3, 8};
  EXPECT_THROW(alignment_costs({weights, 2, 3, 7}, 0, 3, 7), std::invalid_argument);
  EXPECT_THROW(alignment_costs({weights, -2, -3, 8}, 0, 3, 8), std::invalid_argument);
  EXPECT_THROW(alignment_costs({}, 0, 0, 0), std::invalid_argument);
  EXPECT_THROW(alignment_costs(attention, 1, 3, 8), std::invalid_argument);
  EXPECT_THROW(alignment_costs(attention, -1, 3, 8), std::invalid_argument);
  EXPECT_THROW(alignment_costs(attention, 0, 3, 9), std::invalid_argument);
  EXPECT_THROW(alignment_costs(attention, 0, 3, -1), std::invalid_argument);
}

}  // namespace
}  // namespace engine
