#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/whisper/torch_model/batched_model.h"
#include "tests/engine/cuda_kernels/forwarding_kernels.h"
#include "tests/engine/whisper/torch_model/batched_model_fixture.h"
#include "tests/engine/whisper/torch_model/fused_model.h"

namespace engine {
namespace {

using FusedStepsTest = BatchedModelTest;

TEST_F(FusedStepsTest, StepsOnFusedKernelsSayWhatDecodesOneByOneSay) {
  const auto exact = load_exact();
  std::array<EncodedWindow, 3> windows;
  for (std::uint64_t i = 0; i < windows.size(); ++i) windows[i] = encode(*exact, i);
  // With few rows for the kernels, steps of one decode take now this way, now that.
  for (const int most_rows : {64, 4}) {
    const auto counts = std::make_shared<PlayedRecorder::Counts>();
    const auto model = load_fused(*toy_, most_rows, make_twin_kernels(), played(counts));
    const Conversation said(*model);
    for (std::size_t i = 0; i < said.decodes.size(); ++i) {
      expect_as_read(*said.decodes[i], *exact, windows[said.at[i]], 1e-4,
                     std::to_string(i) + " with kernels for " + std::to_string(most_rows));
    }
    EXPECT_GT(counts->replayed, 60);
    EXPECT_EQ(model->kernels(), (KernelUse{most_rows, "for a test", true}));
  }
}

TEST_F(FusedStepsTest, WeightsAndWindowsInInt8SayTheSameOnKernelsAndWithout) {
  for (const int most_rows : {64, 4, 0}) {
    const auto counts = std::make_shared<PlayedRecorder::Counts>();
    const auto model = load_fused(*toy_, most_rows, make_twin_kernels(), played(counts), in_int8);
    const Conversation said(*model);
    for (std::size_t i = 0; i < said.decodes.size(); ++i) {
      // The model reads given tokens with libtorch's operations alone, whatever its steps run on.
      expect_as_read(*said.decodes[i], *model, said.windows[said.at[i]], 1e-4,
                     std::to_string(i) + " with kernels for " + std::to_string(most_rows));
    }
    EXPECT_GT(counts->replayed, 60);
  }
}

TEST_F(FusedStepsTest, Int8ChangesWhatIsSaidOfTheNextTokenALittle) {
  const auto exact = load_exact();
  const auto model = load_fused(*toy_, 64, make_twin_kernels(), nullptr, in_int8);
  const at::Tensor said = at::tensor(model->logits(encode(*model, 1), prompt));
  const at::Tensor expected = at::tensor(exact->logits(encode(*exact, 1), prompt));
  const double difference =
      (said - expected).norm().item<double>() / expected.norm().item<double>();
  EXPECT_LT(difference, 0.05);
  EXPECT_GT(difference, 1e-4);
}

TEST_F(FusedStepsTest, WindowsAreInInt8WhereKernelsReadThem) {
  const auto load_in_int8 = [](std::unique_ptr<StepKernels> kernels) {
    return load_batched_model(toy_->weights(),
                              {at::kCPU, ComputeType::bfloat16, /*int8_weights=*/true},
                              {nullptr, std::move(kernels)}, {.windows = 1, .rows_per_window = 1})
        .value();
  };
  const auto with = load_in_int8(make_twin_kernels());
  const auto without = load_in_int8(nullptr);
  EXPECT_EQ(64 * with->plan().window_bytes, 33 * without->plan().window_bytes)
      << "64 numbers of two bytes are 64 of one and a scale of two";
}

TEST_F(FusedStepsTest, AFusedStepHasEightKernelsPerLayerAndFourBesides) {
  std::vector<LoggedOperation> operations;
  int kernels = 0;
  const auto model =
      load_fused(*toy_, 64, std::make_unique<CountedKernels>(kernels),
                 std::make_unique<StepGraphs>(std::make_unique<CountingRecorder>(operations)));
  HeardDecode decode(*model, encode(*model, 1), ChoiceOptions{.n_rows = 3}, prompt);
  step(*model, {&decode});
  EXPECT_EQ(kernels, 2 * 8 + 4) << "embedding, logits with the last norm, and two for the choice";
  EXPECT_EQ(computations(operations), 0) << "besides";
  HeardDecode search(*model, encode(*model, 2), beams(3), prompt);
  kernels = 0;
  step(*model, {&search});
  EXPECT_EQ(kernels, 2 * 8 + 5) << "the histories of the beams move in one";
}

TEST_F(FusedStepsTest, AStepOnLibtorchReadsWindowsInInt8OnOneKernelAndWaitsForNothing) {
  std::vector<LoggedOperation> operations;
  int kernels = 0;
  const auto model = load_fused(
      *toy_, 0, std::make_unique<CountedKernels>(kernels),
      std::make_unique<StepGraphs>(std::make_unique<CountingRecorder>(operations)), in_int8);
  HeardDecode decode(*model, encode(*model, 1), ChoiceOptions{.n_rows = 3}, prompt);
  kernels = 0;
  step(*model, {&decode});
  EXPECT_EQ(kernels, 2 * 1 + 2) << "the windows of each layer, and two for the choice";
  EXPECT_EQ(std::ranges::count_if(operations, waits), 0);
}

TEST_F(FusedStepsTest, KernelsThatPassTheirCheckAreUsedWhereTheyAreFaster) {
  // On a CPU the twins are slower than libtorch's operations for any number of rows.
  const auto model =
      load_batched_model(toy_->weights(), {at::kCPU, ComputeType::bfloat16},
                         {nullptr, make_twin_kernels()}, {.windows = 1, .rows_per_window = 1})
          .value();
  EXPECT_EQ(model->kernels(),
            (KernelUse{0, "libtorch's operations are faster on this card", true}));
  EXPECT_EQ(load()->kernels(), (KernelUse{0, "this build has no fused kernels for this device"}));
}

}  // namespace
}  // namespace engine
