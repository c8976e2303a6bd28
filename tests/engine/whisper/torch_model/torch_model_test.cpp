#include "engine/whisper/torch_model/torch_model.h"

#include <gtest/gtest.h>

#include <span>

#include "engine/whisper/model/token_probabilities.h"
#include "tests/engine/whisper/model/heard.h"
#include "tests/engine/whisper/model/random_window.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {
namespace {

class TorchModelTest : public ::testing::Test {
 protected:
  TorchModelTest() {
    window_ = model_->encode(random_window(5));
    while (tokens_.size() < 70) tokens_.push_back(static_cast<int>(100 * tokens_.size()));
  }

  static constexpr int n_text_ = 50257;
  ToyWeights toy_;
  std::unique_ptr<Model> model_ = load_torch_model(toy_.weights(), Placement{}).value();
  EncodedWindow window_;
  std::vector<int> tokens_{50258, 50259, 50359, 50363};
};

TEST_F(TorchModelTest, AttendsWithEachHeadThatIsNamed) {
  using Heads = std::vector<std::pair<int, int>>;
  const auto weights = [&](const Heads& heads) {
    const TokenAttention found = model_->attend(window_, tokens_, n_text_, heads);
    EXPECT_EQ(found.heads, std::ssize(heads));
    EXPECT_EQ(found.tokens, 70);
    return at::tensor(found.weights).view({found.heads, found.tokens, 1500});
  };
  const at::Tensor both = weights({{1, 0}, {0, 1}});
  EXPECT_TRUE(at::allclose(both.sum(-1), at::ones({1})));
  EXPECT_TRUE(at::equal(both.flip(0), weights({{0, 1}, {1, 0}})));
  EXPECT_FALSE(at::allclose(both[0], both[1]));
}

TEST_F(TorchModelTest, RatesTheTokensThatItReadsAsAPromptOfThemDoes) {
  const std::vector<std::pair<int, int>> heads{{0, 0}};
  const auto found = model_->attend(window_, tokens_, n_text_, heads).probabilities;
  std::vector<float> logits = model_->logits(window_, tokens_);
  const LogitRows rows{logits.data(), 69, ToyWeights::dims().n_vocab};
  const auto expected = token_probabilities(rows, std::span(tokens_).subspan(1), n_text_);
  ASSERT_EQ(found.size(), 69U);
  EXPECT_TRUE(at::allclose(at::tensor(found), at::tensor(expected)));
  EXPECT_EQ(found[0], 0) << "the language is no text";
}

TEST_F(TorchModelTest, DecodesSayTogetherWhatTheySayAlone) {
  const auto other = model_->encode(random_window(6));
  HeardDecode first(*model_, window_, samples(1), {50258, 50259, 50359});
  HeardDecode second(*model_, other, samples(3), {50258, 50259});
  HeardDecode third(*model_, other, beams(4), {50258});
  for (int i = 0; i < 20; ++i) step(*model_, {&first, &second, &third});
  expect_as_read(first, *model_, window_, 1e-4, "first");
  expect_as_read(second, *model_, other, 1e-4, "second");
  expect_as_read(third, *model_, other, 1e-4, "third");
}

}  // namespace
}  // namespace engine
