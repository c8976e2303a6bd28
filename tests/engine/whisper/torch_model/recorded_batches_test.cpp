#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/whisper/torch_model/batched_model.h"
#include "tests/engine/whisper/torch_model/batched_model_fixture.h"

namespace engine {
namespace {

constexpr MemoryWish large{.windows = 8, .rows_per_window = 3};

std::vector<MelWindow> random_windows(std::uint64_t first, int count) {
  std::vector<MelWindow> mels;
  for (int i = 0; i < count; ++i) mels.push_back(random_window(first + static_cast<unsigned>(i)));
  return mels;
}

// Records nothing.
class FailingRecorder : public StepRecorder {
 public:
  Recording record(const Step& step) override { return {step(), nullptr, "no memory"}; }
  void begin_generation() override {}
};

class RecordedBatchesTest : public BatchedModelTest {
 protected:
  // Reads prompts of so many tokens of these windows, and returns what was chosen behind them and
  // in one step more, so that the histories are read, too.
  static std::vector<StepOutcome> read(Model& model, const std::vector<EncodedWindow>& windows,
                                       const std::vector<std::size_t>& lengths,
                                       const ChoiceOptions& options) {
    std::vector<std::unique_ptr<DecodeState>> states;
    std::vector<std::vector<int>> tokens;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      states.push_back(model.start(windows[i % windows.size()], options));
      tokens.emplace_back(lengths[i] - prompt.size(), 100 + static_cast<int>(lengths[i]));
      tokens.back().insert(tokens.back().end(), prompt.begin(), prompt.end());
    }
    std::vector<Prompt> prompts;
    std::vector<DecodeState*> decodes;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      decodes.push_back(states[i].get());
      prompts.push_back({decodes.back(), tokens[i], static_cast<int>(lengths[i]) - 4});
    }
    auto outcomes = model.read_prompts(prompts)->outcomes();
    const auto more = model.step(decodes)->outcomes();
    outcomes.insert(outcomes.end(), more.begin(), more.end());
    return outcomes;
  }

  // Encodes and reads batches of many sizes, some of them often; returns all that was heard.
  struct Heard {
    std::vector<std::vector<float>> logits;
    std::vector<StepOutcome> outcomes;
  };
  static Heard hear(Model& model) {
    Heard heard;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const auto held = model.encode(random_window(900 + round));  // so that slots change
      for (const int size : {3, 1, 4}) {
        const auto windows = model.encode(random_windows(100 * round, size));
        for (const auto& window : windows) heard.logits.push_back(model.logits(window, prompt));
        for (const auto& options : {ChoiceOptions{}, samples(2, round), beams(3)}) {
          const auto said = read(model, windows, {4 + round, 6, 20}, options);
          heard.outcomes.insert(heard.outcomes.end(), said.begin(), said.end());
        }
      }
    }
    return heard;
  }
  // Expects that the model hears to the bit what one hears that records nothing.
  static void expect_heard_as_plain(Model& model) {
    const Heard expected = hear(*load(nullptr, large));
    const Heard found = hear(model);
    EXPECT_EQ(found.logits, expected.logits);
    EXPECT_EQ(found.outcomes, expected.outcomes);
  }
};

// The recorder fails where memory moved or a number of the host has got into what it records.
TEST_F(RecordedBatchesTest, ReplaysGiveTheSameNumbersAsRunsAsTheyAre) {
  const auto counts = std::make_shared<PlayedRecorder::Counts>();
  const auto model = load(played(counts), large);
  expect_heard_as_plain(*model);
  EXPECT_EQ(counts->generations, 1);
  EXPECT_GT(counts->replayed, 50);
}

TEST_F(RecordedBatchesTest, TheThirdBatchOfAShapeIsAReplayAndNothingElse) {
  const auto counts = std::make_shared<PlayedRecorder::Counts>();
  const auto model = load(played(counts), large);
  const auto encode = [&](std::uint64_t seed) {
    const auto before = *counts;
    model->encode(random_windows(seed, 4));
    return std::pair{counts->recorded - before.recorded, counts->replayed - before.replayed};
  };
  EXPECT_EQ(encode(1), (std::pair{0, 0})) << "it may be the only one";
  EXPECT_EQ(encode(2), (std::pair{1, 0}));
  EXPECT_EQ(encode(3), (std::pair{0, 1}));
  const auto windows = model->encode(random_windows(5, 2));
  const auto read_all = [&](std::size_t count) {
    const auto before = *counts;
    std::vector<std::unique_ptr<DecodeState>> states;
    std::vector<Prompt> prompts;
    for (std::size_t i = 0; i < count; ++i) {
      states.push_back(model->start(windows[i % 2], ChoiceOptions{}));
      prompts.push_back({states.back().get(), prompt});
    }
    model->read_prompts(prompts)->outcomes();
    return std::pair{counts->recorded - before.recorded, counts->replayed - before.replayed};
  };
  EXPECT_EQ(read_all(3), (std::pair{0, 0}));
  EXPECT_EQ(read_all(4), (std::pair{1, 0})) << "three prompts have the shape of four";
  EXPECT_EQ(read_all(3), (std::pair{0, 1}));
}

// A batch's operations are told to the device one by one at first, and as one word in a replay.
TEST_F(RecordedBatchesTest, AnEncodeHasManyOperationsAndItsReplayTwoBesides) {
  const auto model = load(std::make_unique<StepGraphs>(std::make_unique<SilentRecorder>()), large);
  for (std::uint64_t i = 0; i < 2; ++i) model->encode(random_windows(10 * i, 4));
  const auto counts = computations_by_norm(SilentRecorder::operations);
  ASSERT_EQ(counts.size(), 6U) << "two norms in each of two layers, and the last";
  EXPECT_EQ(counts[1] + counts[2], 9) << "in a layer, four of them products";
  EXPECT_EQ(counts[0], 8) << "two convolutions, and the positions";
  EXPECT_EQ(counts[5], 6) << "the last norm; keys and values of two layers; no bias";
  EXPECT_EQ(std::ranges::count_if(SilentRecorder::operations, waits), 0);
  const OperationLog log;
  model->encode(random_windows(20, 4));
  EXPECT_EQ(computations(log.operations()), 2) << "sound and places go to the device";
  EXPECT_EQ(std::ranges::count_if(log.operations(), waits), 0);
}

TEST_F(RecordedBatchesTest, PromptsHaveManyOperationsAndTheirReplayTheSameFewWhateverTheirNumber) {
  const auto model = load(std::make_unique<StepGraphs>(std::make_unique<SilentRecorder>()), large);
  const auto windows = model->encode(random_windows(1, 4));
  const auto beside_replay = [&](std::size_t count) {
    std::vector<std::unique_ptr<DecodeState>> states;
    std::vector<Prompt> prompts;
    for (std::size_t j = 0; j < count; ++j) {
      states.push_back(model->start(windows[j], ChoiceOptions{.suppress = {1}, .blank = {2}}));
      prompts.push_back({states.back().get(), prompt});
    }
    for (int i = 0; i < 2; ++i) model->read_prompts(prompts)->outcomes();
    const OperationLog log;
    model->read_prompts(prompts)->outcomes();
    EXPECT_EQ(std::ranges::count_if(log.operations(), waits), 0);
    return computations(log.operations());
  };
  EXPECT_EQ(beside_replay(1), 11) << "eight begin the decodes, two allow blanks, one copy is read";
  EXPECT_EQ(beside_replay(4), 11);
  EXPECT_EQ(std::ranges::count_if(SilentRecorder::operations, waits), 0);
  const auto counts = computations_by_norm(SilentRecorder::operations);
  ASSERT_EQ(counts.size(), 8U);
  EXPECT_EQ(counts[1] + counts[2] + counts[3], 16) << "in a layer, six of them products";
  EXPECT_LE(counts[0] + counts[7], 53) << "embedding, logits and the choice of tokens";
}

TEST_F(RecordedBatchesTest, ABatchIsEncodedInPartsOfFewSizes) {
  const auto alone = load(nullptr, large);
  const auto counts = std::make_shared<PlayedRecorder::Counts>();
  const auto model = load(played(counts), large);
  for (std::uint64_t round = 0; round < 3; ++round) {
    const auto mels = random_windows(10 * round, 7);
    const auto found = model->encode(mels);
    ASSERT_EQ(found.size(), 7U);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto window = alone->encode(mels[i]);
      expect_near(model->logits(found[i], prompt), alone->logits(window, prompt),
                  std::to_string(i));
    }
  }
  EXPECT_EQ(counts->recorded, 3) << "of four, two and one";
  EXPECT_EQ(counts->replayed, 3);
}

TEST_F(RecordedBatchesTest, WhatCannotBeRecordedRunsAsItIs) {
  const auto model = load(std::make_unique<StepGraphs>(std::make_unique<FailingRecorder>(),
                                                       GraphLimits{.first_pause = 1}),
                          large);
  expect_heard_as_plain(*model);
  EXPECT_EQ(model->graphs()->off, "decode steps: no memory");
  EXPECT_GT(model->graphs()->failures, 3);
}

TEST_F(RecordedBatchesTest, FewGraphsAreKeptAndTheOthersRecordedAgain) {
  const auto counts = std::make_shared<PlayedRecorder::Counts>();
  const auto model = load(std::make_unique<StepGraphs>(std::make_unique<PlayedRecorder>(counts),
                                                       GraphLimits{.most_recorded = 2}),
                          large);
  expect_heard_as_plain(*model);
  EXPECT_EQ(model->graphs()->recorded, 2);
}

// Prompts in places that are left over would show in the decodes beside them: a history that was
// written over is read by the decode's next steps.
TEST_F(RecordedBatchesTest, PlacesThatAreLeftOverChangeNothingForOthers) {
  const auto exact = load_exact();
  const auto model = load(nullptr, large);
  HeardDecode before(*model, encode(*model, 1), samples(1), prompt);
  step(*model, {&before});
  const auto window = encode(*model, 2);
  const std::vector<std::size_t> lengths{5, 7, 6};
  const auto together = read(*model, {window}, lengths, ChoiceOptions{});
  for (int i = 0; i < 3; ++i) step(*model, {&before});
  expect_as_read(before, *exact, encode(*exact, 1), 1e-4, "the decode in the lowest place");
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const auto alone = read(*model, {window}, {lengths[i]}, ChoiceOptions{});
    for (const std::size_t step : {0, 1}) {
      const ChosenToken& found = together[i + step * lengths.size()].rows[0];
      EXPECT_EQ(found.token, alone[step].rows[0].token) << i;
      EXPECT_NEAR(found.logprob, alone[step].rows[0].logprob, 1e-4) << i;
    }
  }
}

}  // namespace
}  // namespace engine
