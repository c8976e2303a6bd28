#include "engine/whisper/model/batched_model.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>

#include "engine/whisper/model/torch_model.h"
#include "tests/engine/whisper/model/heard.h"
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

const std::vector<int> prompt{50258, 50259, 50359, 50363};

// Decodes of three windows, greedy, with beams and with samples, that come, go and wait.
struct Conversation {
  explicit Conversation(Model& model) {
    for (std::uint64_t i = 0; i < windows.size(); ++i) {
      at::manual_seed(i);
      windows[i] = model.encode(at::randn({80, 3000}));
    }
    auto greedy = begin(model, 0, ChoiceOptions{});
    const auto search = begin(model, 1, beams(3));
    for (int i = 0; i < 4; ++i) step(model, {greedy, search});
    for (int i = 0; i < 4; ++i) step(model, {search});
    step(model, {search, greedy});
    greedy->state.reset();
    step(model, {search});
    const auto several = begin(model, 1, samples(2));
    const auto late = begin(model, 2, beams(5));
    for (int i = 0; i < 70; ++i) step(model, {late, several, search});  // across a boundary of lengths
  }

  HeardDecode* begin(Model& model, std::size_t window, const ChoiceOptions& options) {
    decodes.push_back(std::make_unique<HeardDecode>(model, windows[window], options, prompt));
    at.push_back(window);
    return decodes.back().get();
  }

  std::array<EncodedWindow, 3> windows;
  std::vector<std::unique_ptr<HeardDecode>> decodes;
  std::vector<std::size_t> at;  // the window of each
};

TEST_F(BatchedModelTest, SaysWhatDecodesOneByOneSay) {
  const auto exact = load_exact();
  const auto model = load();
  std::array<EncodedWindow, 3> windows;
  for (std::uint64_t i = 0; i < windows.size(); ++i) windows[i] = encode(*exact, i);
  const Conversation said(*model);
  for (std::size_t i = 0; i < said.decodes.size(); ++i) {
    expect_as_read(*said.decodes[i], *exact, windows[said.at[i]], 1e-4, std::to_string(i));
  }
}

TEST_F(BatchedModelTest, ReplayedStepsReadWhatIsNew) {
  const auto plain = load();
  const auto model = load(std::make_unique<RecordedSteps>());
  RecordedSteps::recorded = RecordedSteps::replayed = 0;
  const Conversation expected(*plain);
  const Conversation found(*model);
  for (std::size_t i = 0; i < found.decodes.size(); ++i) {
    ASSERT_EQ(found.decodes[i]->said.size(), expected.decodes[i]->said.size());
    for (std::size_t row = 0; row < found.decodes[i]->said.back().rows.size(); ++row) {
      EXPECT_EQ(found.decodes[i]->history(row), expected.decodes[i]->history(row)) << i;
    }
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
  EXPECT_EQ(forgotten_by([&] { state = model->start(first, samples(1)); }), 0);
  EXPECT_EQ(forgotten_by([&] { second = encode(*model, 2); }), 1) << "a second window";
  EXPECT_EQ(forgotten_by([&] { state = model->start(first, samples(3)); }), 2) << "two, then four rows";
  second.reset();
  EXPECT_EQ(forgotten_by([&] { second = encode(*model, 3); }), 0);
}

TEST_F(BatchedModelTest, ADecodeThatSaidNonsenseLeavesNoneBehind) {
  const auto model = load();
  const auto expected_window = encode(*model, 1);
  const auto say = [&](const EncodedWindow& window) {
    HeardDecode decode(*model, window, samples(1), prompt);
    step(*model, {&decode});
    return decode.said;
  };
  const auto expected = say(expected_window);
  const EncodedWindow nonsense = model->encode(at::full({80, 3000}, NAN));
  EXPECT_FALSE(HeardDecode(*model, nonsense, samples(1), prompt).said[0].finite);
  EXPECT_EQ(say(expected_window), expected);
  const HeardDecode there(*model, encode(*model, 1), samples(1), prompt);
  EXPECT_NEAR(there.said[0].rows[0].logprob, expected[0].rows[0].logprob, 1e-4)
      << "in the window's old place";
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
