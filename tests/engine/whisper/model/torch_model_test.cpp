#include "engine/whisper/model/torch_model.h"

#include <gtest/gtest.h>

#include <span>

#include "engine/whisper/model/token_probabilities.h"
#include "tests/engine/whisper/model/heard.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {
namespace {

class TorchModelTest : public ::testing::Test {
 protected:
  TorchModelTest() {
    at::manual_seed(5);
    window_ = model_->encode(at::randn({80, 3000}));
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
    return model_->attend(window_, tokens_, n_text_, heads).weights;
  };
  const at::Tensor both = weights({{1, 0}, {0, 1}});
  EXPECT_EQ(both.sizes(), (std::vector<std::int64_t>{2, 70, 1500}));
  EXPECT_TRUE(at::allclose(both.sum(-1), at::ones({1})));
  EXPECT_TRUE(at::equal(both.flip(0), weights({{0, 1}, {1, 0}})));
  EXPECT_FALSE(at::allclose(both[0], both[1]));
}

TEST_F(TorchModelTest, RatesTheTokensThatItReadsAsAPromptOfThemDoes) {
  const std::vector<std::pair<int, int>> heads{{0, 0}};
  const at::Tensor found = model_->attend(window_, tokens_, n_text_, heads).probabilities;
  ASSERT_EQ(found.numel(), 69);
  const at::Tensor logits = model_->logits(window_, tokens_).narrow(0, 0, 69);
  const at::Tensor expected = token_probabilities(logits, std::span(tokens_).subspan(1), n_text_);
  EXPECT_TRUE(at::allclose(found, expected));
  EXPECT_EQ(found[0].item<float>(), 0) << "the language is no text";
}

TEST_F(TorchModelTest, DecodesSayTogetherWhatTheySayAlone) {
  const auto other = model_->encode(at::randn({80, 3000}));
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
