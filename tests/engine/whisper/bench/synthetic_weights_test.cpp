#include "engine/whisper/bench/synthetic_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace engine {
namespace {

TEST(SyntheticWeights, AreAWholeModelOfEachSize) {
  for (const auto size : synthetic_sizes()) {
    const ModelDims dims = dims_of_size(size).value();
    if (dims.n_text_state > 512) continue;  // the others are a question of memory alone
    const auto weights = synthetic_weights(dims);
    EXPECT_NO_THROW(validate_tensors(weights->tensors(), dims)) << size;
    EXPECT_EQ(derive_dims(weights->tensors()), dims) << size;
  }
}

TEST(SyntheticWeights, AreSmallNormalNumbersOfBothSigns) {
  const auto weights = synthetic_weights(dims_of_size("tiny").value());
  const WeightTensor& bias = weights->tensors().at("encoder.conv1.bias");
  std::vector<float> numbers(static_cast<std::size_t>(bias.elements()));
  to_float(bias, numbers);
  int n_negative = 0;
  for (const float number : numbers) {
    EXPECT_GT(std::abs(number), 0.01F);
    EXPECT_LT(std::abs(number), 0.1F);
    n_negative += number < 0;
  }
  EXPECT_GT(n_negative, 100);
  EXPECT_LT(n_negative, 284);
}

TEST(SyntheticWeights, SpreadLogitsAsSpeechDoes) {
  for (const char* size : {"tiny", "base"}) {
    const ModelDims dims = dims_of_size(size).value();
    const auto weights = synthetic_weights(dims);
    const auto numbers_of = [&](const char* name) {
      const WeightTensor& tensor = weights->tensors().at(name);
      std::vector<float> numbers(static_cast<std::size_t>(tensor.elements()));
      to_float(tensor, numbers);
      return numbers;
    };
    const auto norm = numbers_of("decoder.ln.weight");
    const auto embedding = numbers_of("decoder.token_embedding.weight");
    // The variance of a token's logit, if what is normalized is independent noise.
    double sum = 0;
    for (std::size_t i = 0; i < embedding.size(); ++i) {
      sum += std::pow(norm[i % norm.size()] * embedding[i], 2);
    }
    EXPECT_NEAR(std::sqrt(sum / dims.n_vocab), 8, 0.8) << size;
  }
}

TEST(SyntheticWeights, AnUnknownSizeIsRefusedWithThoseThatAreKnown) {
  const auto refused = dims_of_size("huge");
  EXPECT_EQ(refused.error().code, Errc::invalid_option);
  EXPECT_NE(refused.error().fix.find("large-v3-turbo"), std::string::npos);
}

}  // namespace
}  // namespace engine
