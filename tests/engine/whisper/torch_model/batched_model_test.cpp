#include "engine/whisper/torch_model/batched_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "engine/error.h"
#include "tests/engine/whisper/torch_model/batched_model_fixture.h"

namespace engine {
namespace {

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

// Heads that are 32 wide are filled up to 64.
TEST_F(BatchedModelTest, NarrowHeadsSayWhatDecodesOneByOneSay) {
  const auto exact = load_torch_model(toy_->weights(4), Placement{}).value();
  const auto model = load_batched_model(toy_->weights(4), Placement{}, {nullptr, nullptr},
                                        {.windows = 5, .rows_per_window = 3})
                         .value();
  std::array<EncodedWindow, 3> windows;
  for (std::uint64_t i = 0; i < windows.size(); ++i) windows[i] = encode(*exact, i);
  const Conversation said(*model);
  for (std::size_t i = 0; i < said.decodes.size(); ++i) {
    expect_as_read(*said.decodes[i], *exact, windows[said.at[i]], 1e-4, std::to_string(i));
  }
}

// The recorder fails where memory moved or a number of the host has got into a step.
TEST_F(BatchedModelTest, ReplayedStepsReadWhatIsNewAndNothingMoves) {
  const auto plain = load();
  const auto counts = std::make_shared<PlayedRecorder::Counts>();
  const auto model = load(played(counts));
  const Conversation expected(*plain);
  const Conversation found(*model);
  for (std::size_t i = 0; i < found.decodes.size(); ++i) {
    ASSERT_EQ(found.decodes[i]->said.size(), expected.decodes[i]->said.size());
    for (std::size_t row = 0; row < found.decodes[i]->said.back().rows.size(); ++row) {
      EXPECT_EQ(found.decodes[i]->history(row), expected.decodes[i]->history(row)) << i;
    }
  }
  EXPECT_GT(counts->replayed, 60);
  EXPECT_LT(counts->recorded, 10);
  EXPECT_EQ(counts->generations, 1) << "nothing was ever forgotten";
  EXPECT_EQ(model->graphs()->recorded, counts->recorded);
  EXPECT_FALSE(plain->graphs());
}

// With libtorch's own operations; kernels of our own are fewer.
TEST_F(BatchedModelTest, AStepHasFewOperationsPerLayerAndNoneThatWaits) {
  std::vector<LoggedOperation> operations;
  const auto model =
      load(std::make_unique<StepGraphs>(std::make_unique<CountingRecorder>(operations)));
  HeardDecode decode(*model, encode(*model, 1), ChoiceOptions{.n_rows = 3}, prompt);
  step(*model, {&decode});
  const auto counts = computations_by_norm(operations);
  ASSERT_EQ(counts.size(), 8U) << "three norms in each of two layers, and the last";
  EXPECT_EQ(counts[1] + counts[2] + counts[3], 17) << "in a layer, six of them products";
  EXPECT_EQ(counts[4] + counts[5] + counts[6], 18) << "and the rows whose logits are wanted";
  EXPECT_LE(counts[0] + counts[7], 58) << "embedding, logits and the choice of tokens";
  EXPECT_EQ(std::ranges::count_if(operations, waits), 0);
}

TEST_F(BatchedModelTest, AHundredSteadyStepsAreReplayedAndFetchedAndNothingElse) {
  const auto model = load(std::make_unique<StepGraphs>(std::make_unique<SilentRecorder>()));
  const std::vector<int> long_prompt(130, 100);  // no length is rounded up to another meanwhile
  HeardDecode greedy(*model, encode(*model, 1), samples(3), long_prompt);
  HeardDecode search(*model, encode(*model, 2), beams(5), long_prompt);
  step(*model, {&greedy, &search});
  EXPECT_EQ(std::ranges::count_if(SilentRecorder::operations, waits), 0) << "in the step";
  std::vector<DecodeState*> states{greedy.state.get(), search.state.get()};
  const OperationLog log;
  auto last = model->step(states);
  for (int i = 1; i < 100; ++i) {
    auto next = model->step(states);
    EXPECT_EQ(last->outcomes().size(), 2U);
    last = std::move(next);
  }
  EXPECT_EQ(model->graphs()->replayed, 100);
  EXPECT_EQ(std::ranges::count_if(log.operations(), waits), 0) << "beside it";
  EXPECT_EQ(computations(log.operations()), 100) << "one copy a step, of what was chosen";
  EXPECT_EQ(std::ranges::count(log.operations(), "aten::copy_", &LoggedOperation::name), 100);
}

TEST_F(BatchedModelTest, HasThePlacesThatWerePlannedAndNoMore) {
  const auto model = load(nullptr, {.windows = 2, .rows_per_window = 2});
  EXPECT_EQ(model->plan().windows, 2);
  EXPECT_EQ(model->plan().rows, 4);
  auto first = encode(*model, 1);
  const auto second = encode(*model, 2);
  EXPECT_THROW(encode(*model, 3), Exception);
  const auto all_rows = model->start(first, samples(4));
  EXPECT_THROW(model->start(first, samples(1)), Exception);
}

TEST_F(BatchedModelTest, WindowsOfABatchAreThoseThatAreEncodedAlone) {
  const auto alone = load();
  const auto together = load();
  std::vector<MelWindow> mels;
  std::vector<EncodedWindow> expected;
  for (int i = 0; i < 4; ++i) {
    mels.push_back(random_window(static_cast<std::uint64_t>(i)));
    expected.push_back(alone->encode(mels.back()));
  }
  const auto found = together->encode(mels);
  ASSERT_EQ(found.size(), mels.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    // The decoder's logits after some tokens depend on every number of the window.
    expect_near(together->logits(found[i], prompt), alone->logits(expected[i], prompt), "window");
  }
}

TEST_F(BatchedModelTest, PromptsOfABatchAreReadAsEachAlone) {
  const auto exact = load_exact();
  const auto model = load();
  std::vector<EncodedWindow> windows, exact_windows;
  for (std::uint64_t i = 0; i < 3; ++i) {
    windows.push_back(encode(*model, i));
    exact_windows.push_back(encode(*exact, i));
  }
  // The prompts have several lengths; two are of one window, one has several rows.
  std::vector<std::vector<int>> tokens{prompt, prompt, prompt, prompt};
  for (int i = 0; i < 5; ++i) tokens[1].insert(tokens[1].begin(), 100 + i);
  for (int i = 0; i < 60; ++i) tokens[3].insert(tokens[3].begin(), 200 + i);
  const std::vector<std::size_t> at{2, 0, 0, 1};
  ChoiceOptions likeliest;
  likeliest.timestamps = false;
  std::vector<std::unique_ptr<DecodeState>> states;
  std::vector<Prompt> prompts;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    states.push_back(model->start(windows[at[i]], i == 1 ? beams(3) : likeliest));
    prompts.push_back({states.back().get(), tokens[i], static_cast<int>(tokens[i].size()) - 4});
  }
  const auto said = model->read_prompts(prompts)->outcomes();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto state = exact->start(exact_windows[at[i]], i == 1 ? beams(3) : likeliest);
    const Prompt one{state.get(), tokens[i], prompts[i].sot_index};
    const auto expected = exact->read_prompts({&one, 1})->outcomes()[0];
    EXPECT_NEAR(*said[i].no_speech_prob, *expected.no_speech_prob, 1e-5) << i;
    ASSERT_EQ(said[i].rows.size(), expected.rows.size());
    for (std::size_t row = 0; row < expected.rows.size(); ++row) {
      EXPECT_EQ(said[i].rows[row].token, expected.rows[row].token) << i;
      EXPECT_NEAR(said[i].rows[row].logprob, expected.rows[row].logprob, 1e-4) << i;
    }
  }
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
  const EncodedWindow nonsense = model->encode(MelWindow(80 * 3000, NAN));
  for (const StepOutcome& outcome : say(nonsense)) EXPECT_FALSE(outcome.finite);
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
