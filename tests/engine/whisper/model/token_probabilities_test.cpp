#include "engine/whisper/model/token_probabilities.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace engine {
namespace {

TEST(TokenProbabilities, AreSharesAmongTextTokens) {
  // Ids 0 and 1 are text, 2 is not, however likely it is.
  const at::Tensor logits = at::tensor({0.0F, std::log(3.0F), 9.0F}).expand({3, 3});
  const at::Tensor found = token_probabilities(logits, std::array{0, 1, 2}, 2);
  EXPECT_TRUE(at::allclose(found, at::tensor({0.25F, 0.75F, 0.0F}))) << found;
}

TEST(TokenProbabilities, OfNoTokenAreNone) {
  EXPECT_EQ(token_probabilities(at::zeros({0, 3}), {}, 2).numel(), 0);
}

}  // namespace
}  // namespace engine
