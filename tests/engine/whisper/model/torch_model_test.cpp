#include "engine/whisper/model/torch_model.h"

#include <gtest/gtest.h>

#include <array>

#include "engine/whisper/model/token_probabilities.h"
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
  const auto state = model_->start(window_, 1);
  const std::array positions{3, 40, 68};
  const at::Tensor logits = model_->read_prompt(*state, tokens_, positions);
  const std::array next{tokens_[4], tokens_[41], tokens_[69]};
  const at::Tensor expected = token_probabilities(logits, next, n_text_);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    EXPECT_TRUE(at::allclose(found[positions[i]], expected[static_cast<std::int64_t>(i)])) << i;
  }
  EXPECT_EQ(found[0].item<float>(), 0) << "the language is no text";
}

TEST_F(TorchModelTest, DecodesSayTogetherWhatTheySayAlone) {
  const auto other = model_->encode(at::randn({80, 3000}));
  const std::array prompt{50258, 50259, 50359};
  const auto begin = [&](const EncodedWindow& window, int rows, int length) {
    auto state = model_->start(window, rows);
    model_->read_prompt(*state, std::span(prompt).first(static_cast<std::size_t>(length)),
                        std::array{0});
    return state;
  };
  const auto say = [&](DecodeState& state, std::vector<std::int64_t> tokens) {
    const DecodeStep step{&state, std::move(tokens), {}};
    return model_->step({&step, 1});
  };
  const at::Tensor alone =
      at::cat({say(*begin(window_, 1, 3), {7}), say(*begin(other, 2, 2), {8, 9})});
  const auto first = begin(window_, 1, 3);
  const auto second = begin(other, 2, 2);
  const std::array steps{DecodeStep{first.get(), {7}, {}}, DecodeStep{second.get(), {8, 9}, {}}};
  EXPECT_TRUE(at::allclose(model_->step(steps), alone, 1e-4, 1e-4));
  EXPECT_FALSE(at::allclose(alone[1], alone[2], 1e-3, 1e-3));
}

}  // namespace
}  // namespace engine
