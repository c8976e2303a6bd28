#include "engine/whisper/model/token_probabilities.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "tests/engine/whisper/choice/chosen.h"

namespace engine {
namespace {

TEST(TokenProbabilities, AreSharesAmongTextTokens) {
  // Ids 0 and 1 are text, 2 is not, however likely it is.
  const std::vector<float> row{0, std::log(3.0F), 9};
  Rows logits = rows({row, row, row});
  const auto found = token_probabilities(logits, std::array{0, 1, 2}, 2);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found[0], 0.25, 1e-6);
  EXPECT_NEAR(found[1], 0.75, 1e-6);
  EXPECT_EQ(found[2], 0);
}

TEST(TokenProbabilities, OfNoTokenAreNone) {
  EXPECT_TRUE(token_probabilities({nullptr, 0, 3}, {}, 2).empty());
}

}  // namespace
}  // namespace engine
