#include "engine/whisper/model/int8_model.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "engine/whisper/model/torch_model.h"
#include "tests/engine/kernels/isas.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {
namespace {

class Int8ModelTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { toy_ = new ToyWeights; }
  static void TearDownTestSuite() { delete toy_; }

  void SetUp() override {
    if (kernels::isas_of_this_cpu().empty()) GTEST_SKIP() << "needs AVX2";
  }
  static std::unique_ptr<Model> load(kernels::Isa isa, int threads = 2) {
    const auto weights = toy_->weights();
    return std::make_unique<Int8Model>(weights, cpu::pack_whisper(*weights), isa, threads);
  }
  static std::unique_ptr<Model> load() { return load(kernels::isas_of_this_cpu().back()); }
  static at::Tensor mel(std::uint64_t seed = 5) {
    at::manual_seed(seed);
    return at::randn({80, 3000});
  }
  // The logits after a prompt and after one more token.
  static at::Tensor logits(Model& model) {
    const auto state = model.start(model.encode(mel()), 1);
    const at::Tensor prompt = model.read_prompt(*state, prompt_, std::array{0, 3});
    const DecodeStep step{state.get(), {9}, {}};
    return at::cat({prompt, model.step({&step, 1})});
  }
  static double difference(const at::Tensor& found, const at::Tensor& expected) {
    return ((found - expected).norm() / expected.norm()).item<double>();
  }

  static constexpr std::array<int, 4> prompt_{50258, 50259, 50359, 7};
  static ToyWeights* toy_;
};
ToyWeights* Int8ModelTest::toy_ = nullptr;

TEST_F(Int8ModelTest, EveryVariantIsNearFloat32) {
  const auto exact = load_torch_model(toy_->weights(), Placement{}).value();
  const at::Tensor expected = logits(*exact);
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    for (const int threads : {1, 3}) {
      EXPECT_LT(difference(logits(*load(isa, threads)), expected), 0.05) << name(isa);
    }
  }
}

TEST_F(Int8ModelTest, APromptLongerThanABatchIsReadWhole) {
  const auto model = load();
  const auto window = model->encode(mel());
  std::vector<int> tokens;
  for (int i = 0; i < cpu::Decoder::max_rows + 20; ++i) tokens.push_back(100 + i);
  const auto whole = model->start(window, 1);
  const int last = static_cast<int>(tokens.size()) - 1;
  const at::Tensor expected = model->read_prompt(*whole, tokens, std::array{last})[0];

  const auto parts = model->start(window, 1);
  model->read_prompt(*parts, std::span(tokens).first(1), std::array{0});
  at::Tensor found;
  for (const int token : std::span(tokens).subspan(1)) {
    const DecodeStep step{parts.get(), {token}, {}};
    found = model->step({&step, 1})[0];
  }
  EXPECT_LT(difference(found, expected), 1e-3);
}

TEST_F(Int8ModelTest, WhereTheDecoderLooksIsNearFloat32InPartsToo) {
  const auto exact = load_torch_model(toy_->weights(), Placement{}).value();
  std::vector<int> tokens{50258, 50259, 50359};
  while (tokens.size() < cpu::Decoder::max_rows + 20) {
    tokens.push_back(static_cast<int>(100 * tokens.size()));
  }
  const std::vector<std::pair<int, int>> heads{{1, 0}, {0, 1}, {1, 1}};
  const auto attend = [&](Model& model) {
    return model.attend(model.encode(mel()), tokens, 50257, heads);
  };
  // The toy looks nearly everywhere alike; what tells heads and tokens apart is the rest.
  const auto varying = [](const at::Tensor& x) { return x - x.mean(0, /*keepdim=*/true); };
  const TokenAttention expected = attend(*exact);
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    const TokenAttention found = attend(*load(isa));
    ASSERT_EQ(found.weights.sizes(), expected.weights.sizes());
    EXPECT_TRUE(at::allclose(found.weights.sum(-1), at::ones({1}), 1e-4, 1e-4)) << name(isa);
    for (std::int64_t head = 0; head < 3; ++head) {
      EXPECT_LT(difference(varying(found.weights[head]), varying(expected.weights[head])), 0.1)
          << name(isa) << head;
    }
    EXPECT_LT(difference(varying(found.probabilities), varying(expected.probabilities)), 0.1);
  }
}

TEST_F(Int8ModelTest, DecodesOfSeveralWindowsDoNotSeeEachOther) {
  const auto model = load();
  const auto run = [&](std::vector<std::uint64_t> seeds) {
    std::vector<std::unique_ptr<DecodeState>> states;
    std::vector<DecodeStep> steps;
    for (const std::uint64_t seed : seeds) {
      states.push_back(model->start(model->encode(mel(seed)), 2));
      model->read_prompt(*states.back(), prompt_, std::array{3});
      steps.push_back({states.back().get(), {11, static_cast<std::int64_t>(seed)}, {}});
    }
    return model->step(steps);
  };
  const at::Tensor together = run({1, 2, 3});
  EXPECT_LT(difference(together.slice(0, 2, 4), run({2})), 1e-5);
  EXPECT_GT(difference(together.slice(0, 2, 4), run({3})), 1e-3);
}

TEST_F(Int8ModelTest, ARowGoesOnWithTheHistoryItIsGiven) {
  const auto model = load();
  const auto window = model->encode(mel());
  const auto beams = model->start(window, 3);
  model->read_prompt(*beams, prompt_, std::array{3});
  const DecodeStep different{beams.get(), {11, 12, 13}, {}};
  model->step({&different, 1});
  const std::array sources{2, 0, 2};
  const DecodeStep moved{beams.get(), {21, 22, 23}, sources};
  const at::Tensor found = model->step({&moved, 1});

  for (const auto& [row, history, token] :
       {std::tuple{0, 13, 21}, std::tuple{1, 11, 22}, std::tuple{2, 13, 23}}) {
    const auto alone = model->start(window, 1);
    model->read_prompt(*alone, prompt_, std::array{3});
    const DecodeStep first{alone.get(), {history}, {}};
    model->step({&first, 1});
    const DecodeStep second{alone.get(), {token}, {}};
    EXPECT_LT(difference(found[row], model->step({&second, 1})[0]), 1e-5) << row;
  }
}

// And the next window is as if it had not been.
TEST_F(Int8ModelTest, SoundThatIsNoNumbersGivesNoneInEveryVariant) {
  for (const kernels::Isa isa : kernels::isas_of_this_cpu()) {
    const auto model = load(isa);
    const at::Tensor expected = logits(*model);
    for (const float broken : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
      at::Tensor sound = mel();
      sound[40][1200] = broken;
      const auto state = model->start(model->encode(sound), 1);
      const at::Tensor prompt = model->read_prompt(*state, prompt_, std::array{0, 3});
      const DecodeStep step{state.get(), {9}, {}};
      const at::Tensor found = at::cat({prompt, model->step({&step, 1})});
      EXPECT_TRUE(found.sum(-1).isfinite().logical_not().all().item<bool>())
          << name(isa) << ' ' << broken;
    }
    EXPECT_TRUE(at::equal(logits(*model), expected)) << name(isa);
  }
}

TEST_F(Int8ModelTest, WhatAThreadThrowsIsThrownToTheCallerAndTheModelGoesOn) {
  const auto whole = toy_->weights();
  WeightsContent content;
  content.dims = whole->dims();
  content.tensors = whole->tensors();
  content.tensors.erase("decoder.token_embedding.weight");
  const auto lacking =
      std::make_shared<const Weights>(std::vector<MappedFile>{}, std::move(content));
  Int8Model model(lacking, cpu::pack_whisper(*whole), kernels::isas_of_this_cpu().back(), 3);
  for (int i = 0; i < 20; ++i) {
    const auto state = model.start(model.encode(mel()), 1);
    EXPECT_THROW(model.read_prompt(*state, prompt_, std::array{0, 3}), std::out_of_range);
  }
}

TEST_F(Int8ModelTest, AMelOfTheWrongShapeIsRefused) {
  EXPECT_THROW(load()->encode(at::randn({12, 34})), c10::Error);
}

}  // namespace
}  // namespace engine
