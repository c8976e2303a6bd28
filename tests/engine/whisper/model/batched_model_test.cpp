#include "engine/whisper/model/batched_model.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "engine/whisper/model/torch_model.h"
#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {
namespace {

// Behaves as a device does: what was recorded first for a shape runs again, whatever is handed in
// later.
class RecordedSteps : public StepGraphs {
 public:
  at::Tensor run(const StepShape& shape, const std::function<at::Tensor()>& step) override {
    const auto [found, is_new] = steps_.try_emplace(shape, step);
    if (is_new) found->second();
    ++(is_new ? recorded : replayed);
    return found->second();
  }
  void forget() override {
    steps_.clear();
    ++forgotten;
  }
  bool gave_up() const override { return false; }

  static inline int recorded = 0;
  static inline int replayed = 0;
  static inline int forgotten = 0;

 private:
  std::map<StepShape, std::function<at::Tensor()>> steps_;
};

class BatchedModelTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { toy_ = new ToyWeights; }
  static void TearDownTestSuite() { delete toy_; }

  static std::unique_ptr<Model> load(std::unique_ptr<StepGraphs> graphs = nullptr) {
    return load_batched_model(toy_->weights(), Placement{}, std::move(graphs)).value();
  }
  static std::unique_ptr<Model> load_exact() {
    return load_torch_model(toy_->weights(), Placement{}).value();
  }
  static EncodedWindow encode(Model& model, std::uint64_t seed) {
    at::manual_seed(seed);
    return model.encode(at::randn({80, 3000}));
  }
  static void expect_near(const at::Tensor& found, const at::Tensor& expected,
                          const std::string& what) {
    ASSERT_EQ(found.sizes(), expected.sizes()) << what;
    EXPECT_TRUE(at::allclose(found, expected, 1e-4, 1e-4)) << what;
  }

  static ToyWeights* toy_;
};
ToyWeights* BatchedModelTest::toy_ = nullptr;

constexpr std::array prompt{50258, 50259, 50359, 50363};

struct Decode {
  std::unique_ptr<DecodeState> state;
  std::int64_t rows = 1;
};

Decode begin(Model& model, const EncodedWindow& window, int rows, std::vector<at::Tensor>& said) {
  Decode decode{model.start(window, rows), rows};
  said.push_back(model.read_prompt(*decode.state, prompt, std::array{0, 3}));
  return decode;
}

DecodeStep step_of(const Decode& decode, std::int64_t seed, std::span<const int> sources = {}) {
  DecodeStep step{decode.state.get(), {}, sources};
  for (std::int64_t row = 0; row < decode.rows; ++row) {
    step.tokens.push_back((31 * seed + 7 * row) % 50000);
  }
  return step;
}

// Decodes of two windows, greedy and with beams, that come, go, wait and change rows.
std::vector<at::Tensor> say_much(Model& model, const std::array<EncodedWindow, 3>& windows) {
  std::vector<at::Tensor> said;
  const auto step = [&](std::vector<DecodeStep> steps) { said.push_back(model.step(steps)); };
  Decode greedy = begin(model, windows[0], 1, said);
  const Decode beams = begin(model, windows[1], 3, said);
  step({step_of(greedy, 1), step_of(beams, 2)});
  step({step_of(greedy, 3), step_of(beams, 4, std::array{2, 0, 2})});
  step({step_of(beams, 5, std::array{1, 1, 1})});
  step({step_of(beams, 6), step_of(greedy, 7)});
  greedy = {};
  step({step_of(beams, 8, std::array{2, 1, 0})});
  const Decode samples = begin(model, windows[1], 2, said);
  const Decode late = begin(model, windows[2], 1, said);
  for (std::int64_t i = 0; i < 70; ++i) {  // across a boundary of lengths
    step({step_of(late, i), step_of(samples, i + 1), step_of(beams, i + 2, std::array{0, 0, 1})});
  }
  return said;
}

std::array<EncodedWindow, 3> three_windows(Model& model) {
  std::array<EncodedWindow, 3> windows;
  for (std::uint64_t i = 0; i < windows.size(); ++i) {
    at::manual_seed(i);
    windows[i] = model.encode(at::randn({80, 3000}));
  }
  return windows;
}

TEST_F(BatchedModelTest, SaysWhatDecodesOneByOneSay) {
  const auto exact = load_exact();
  const auto model = load();
  const auto expected = say_much(*exact, three_windows(*exact));
  const auto found = say_much(*model, three_windows(*model));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    expect_near(found[i], expected[i], std::to_string(i));
  }
}

TEST_F(BatchedModelTest, ReplayedStepsReadWhatIsNew) {
  const auto plain = load();
  const auto model = load(std::make_unique<RecordedSteps>());
  RecordedSteps::recorded = RecordedSteps::replayed = 0;
  const auto expected = say_much(*plain, three_windows(*plain));
  const auto found = say_much(*model, three_windows(*model));
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_TRUE(at::equal(found[i], expected[i])) << i;
  }
  EXPECT_GT(RecordedSteps::replayed, 60);
  EXPECT_LT(RecordedSteps::recorded, 10);
}

TEST_F(BatchedModelTest, WhatWasRecordedIsForgottenOnlyWhenMemoryMoves) {
  const auto model = load(std::make_unique<RecordedSteps>());
  const auto forgotten_by = [](const auto& action) {
    const int before = RecordedSteps::forgotten;
    action();
    return RecordedSteps::forgotten - before;
  };
  EncodedWindow first, second;
  std::unique_ptr<DecodeState> state;
  EXPECT_EQ(forgotten_by([&] { first = encode(*model, 1); }), 0);
  EXPECT_EQ(forgotten_by([&] { state = model->start(first, 1); }), 0);
  EXPECT_EQ(forgotten_by([&] { second = encode(*model, 2); }), 1) << "a second window";
  EXPECT_EQ(forgotten_by([&] { state = model->start(first, 3); }), 2) << "two, then four rows";
  second.reset();
  EXPECT_EQ(forgotten_by([&] { second = encode(*model, 3); }), 0);
}

TEST_F(BatchedModelTest, ADecodeThatSaidNonsenseLeavesNoneBehind) {
  const auto model = load();
  const auto expected_window = encode(*model, 1);
  std::vector<at::Tensor> said;
  const auto say = [&](const EncodedWindow& window) {
    const Decode decode = begin(*model, window, 1, said);
    const std::array steps{step_of(decode, 1)};
    return model->step(steps);
  };
  const at::Tensor expected = say(expected_window);
  EXPECT_TRUE(say(model->encode(at::full({80, 3000}, NAN))).isnan().any().item<bool>());
  EXPECT_TRUE(at::equal(say(expected_window), expected));
  expect_near(say(encode(*model, 1)), expected, "in the window's old place");
}

TEST_F(BatchedModelTest, LooksWhereTheUnbatchedModelLooks) {
  const auto exact = load_exact();
  const auto model = load();
  const std::vector<int> tokens{50258, 50259, 50359, 100, 200, 300};
  const std::vector<std::pair<int, int>> heads{{1, 0}, {0, 1}};
  const auto expected = exact->attend(encode(*exact, 1), tokens, 50257, heads);
  const auto other = encode(*model, 2);
  const auto found = model->attend(encode(*model, 1), tokens, 50257, heads);
  expect_near(found.weights, expected.weights, "weights");
  expect_near(found.probabilities, expected.probabilities, "probabilities");
}

}  // namespace
}  // namespace engine
