#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/engine/whisper/torch_model/batched_model_fixture.h"
#include "tests/engine/whisper/torch_model/fused_model.h"

namespace engine {
namespace {

// Short windows of the model on accelerators, beside those of the model that computes exactly their
// rows.
class BatchedShortWindows : public BatchedModelTest {
 protected:
  static std::array<EncodedWindow, 3> encode_all(Model& model, const ThreeMels& mels) {
    return {model.encode(mels[0]), model.encode(mels[1]), model.encode(mels[2])};
  }
  // Expects of each decode that `exact` gives its tokens the same probabilities.
  static void expect_said(const Conversation& said, Model& exact,
                          const std::array<EncodedWindow, 3>& windows, const std::string& what) {
    for (std::size_t i = 0; i < said.decodes.size(); ++i) {
      expect_as_read(*said.decodes[i], exact, windows[said.at[i]], 1e-4,
                     what + " " + std::to_string(i));
    }
  }
};

TEST_F(BatchedShortWindows, WindowsOfABatchAreThoseThatAreEncodedAlone) {
  const auto exact = load_exact();
  const auto model = load();
  const std::vector<MelWindow> mels{short_window(1, 900), random_window(2), short_window(3, 140),
                                    short_window(4, 880)};
  const auto found = model->encode(mels);
  ASSERT_EQ(found.size(), mels.size());
  for (std::size_t i = 0; i < mels.size(); ++i) {
    const EncodedWindow alone = exact->encode(mels[i]);
    EXPECT_EQ(found[i]->is_short(), i != 1);
    EXPECT_EQ(alone->is_short(), i != 1);
    expect_near(model->logits(found[i], prompt), exact->logits(alone, prompt), std::to_string(i));
  }
}

TEST_F(BatchedShortWindows, DecodesOfThemSayWhatDecodesOneByOneSay) {
  const auto exact = load_exact();
  for (const ThreeMels& mels : {mixed_mels(), short_mels()}) {
    expect_said(Conversation(*load(), mels), *exact, encode_all(*exact, mels), "decode");
  }
}

TEST_F(BatchedShortWindows, StepsOnFusedKernelsSayTheSame) {
  const auto exact = load_exact();
  for (const ThreeMels& mels : {mixed_mels(), short_mels()}) {
    for (const int most_rows : {64, 4}) {
      const auto model = load_fused(*toy_, most_rows);
      expect_said(Conversation(*model, mels), *exact, encode_all(*exact, mels),
                  "with kernels for " + std::to_string(most_rows) + " decode");
    }
  }
}

TEST_F(BatchedShortWindows, InInt8TheySayTheSameOnKernelsAndWithout) {
  for (const int most_rows : {64, 0}) {
    const auto model = load_fused(*toy_, most_rows, make_twin_kernels(), nullptr, in_int8);
    const Conversation said(*model, mixed_mels());
    expect_said(said, *model, said.windows, "with kernels for " + std::to_string(most_rows));
  }
}

TEST_F(BatchedShortWindows, ReplayedStepsReadWhatIsNewAndNothingMoves) {
  const auto counts = std::make_shared<PlayedRecorder::Counts>();
  const auto model = load(played(counts));
  const auto plain = load();
  for (const ThreeMels& mels : {short_mels(), mixed_mels(), short_mels(), full_mels()}) {
    const Conversation expected(*plain, mels);
    const Conversation found(*model, mels);
    for (std::size_t i = 0; i < found.decodes.size(); ++i) {
      EXPECT_EQ(found.decodes[i]->said, expected.decodes[i]->said) << i;
    }
  }
  EXPECT_EQ(counts->generations, 1);
  EXPECT_GT(counts->replayed, 200);
}

TEST_F(BatchedShortWindows, WindowsOfOneLengthAreOneShape) {
  const auto counts = std::make_shared<PlayedRecorder::Counts>();
  const auto model = load(played(counts));
  for (const int frames : {500, 480, 520, 500}) model->encode(short_window(1, frames));
  EXPECT_EQ(counts->recorded, 1);
  EXPECT_EQ(counts->replayed, 2);
}

// A longer window beside it makes a step read all of its place.
TEST_F(BatchedShortWindows, NonsenseThatWasInTheirPlaceHasNoEffect) {
  const auto say = [](Model& model) {
    const auto window = model.encode(short_window(1, 500));
    const auto longer = encode(model, 2);
    HeardDecode one(model, window, samples(1), prompt), other(model, longer, samples(1), prompt);
    for (int i = 0; i < 3; ++i) step(model, {&one, &other});
    return std::pair{one.said, other.said};
  };
  const auto fresh = load();
  const auto expected = say(*fresh);
  for (const bool fused : {false, true}) {
    const auto model = fused ? load_fused(*toy_, 64) : load();
    for (int i = 0; i < 2; ++i) model->encode(MelWindow(80 * 3000, NAN));
    const auto found = say(*model);
    for (const auto& outcome : found.first) EXPECT_TRUE(outcome.finite);
    for (std::size_t i = 0; i < expected.first.size(); ++i) {
      EXPECT_EQ(found.first[i].rows[0].token, expected.first[i].rows[0].token);
      EXPECT_NEAR(found.first[i].rows[0].logprob, expected.first[i].rows[0].logprob, 1e-4);
    }
  }
}

TEST_F(BatchedShortWindows, AttentionIsToldOfAllPositions) {
  const auto exact = load_exact();
  const auto model = load();
  const std::vector<int> tokens{50258, 50259, 50359, 100, 200, 300};
  const std::vector<std::pair<int, int>> heads{{1, 0}, {0, 1}};
  const MelWindow mel = short_window(1, 500);
  const auto expected = exact->attend(exact->encode(mel), tokens, 50257, heads);
  const auto found = model->attend(model->encode(mel), tokens, 50257, heads);
  ASSERT_EQ(expected.weights.size(), heads.size() * tokens.size() * audio_positions);
  expect_near(found.weights, expected.weights, "weights");
  expect_near(found.probabilities, expected.probabilities, "probabilities");
}

// It has as many operations as a full one, four for the bias and one for each layer's other rows.
TEST_F(BatchedShortWindows, AnEncodeWaitsForNothing) {
  const auto model = load(std::make_unique<StepGraphs>(std::make_unique<SilentRecorder>()));
  const std::vector<MelWindow> mels{short_window(1, 500), short_window(2, 400)};
  for (int i = 0; i < 2; ++i) model->encode(mels);
  EXPECT_EQ(std::ranges::count_if(SilentRecorder::operations, waits), 0);
  const OperationLog log;
  model->encode(mels);
  EXPECT_EQ(computations(log.operations()), 2) << "audio and places go to the device";
}

}  // namespace
}  // namespace engine
