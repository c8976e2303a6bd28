#include "engine/whisper/bench/kernel_choice.h"

#include <gtest/gtest.h>

#include "tests/engine/torch/played_recorder.h"

namespace engine {
namespace {

class FailingRecorder : public StepRecorder {
 public:
  Recording record(const Step& step) override { return {step(), nullptr, "no memory"}; }
  void begin_generation() override {}
};

const Placement gpu{at::Device(at::kCUDA, 0), ComputeType::float16};

KernelChoice of_steps(StepGraphs* graphs) {
  std::optional<GraphState> state;
  if (graphs != nullptr) {
    graphs->run({}, [] { return at::zeros({1}); });
    state = graphs->state();
  }
  return kernel_choices(gpu, /*flash_attn=*/true, state, KernelUse{}).back();
}

KernelChoice of_layers(const KernelUse& use) {
  const auto choices = kernel_choices(gpu, /*flash_attn=*/true, std::nullopt, use);
  return choices[choices.size() - 2];
}

TEST(KernelChoices, StepsAreRecordedGraphsOnlyWhereRecordingHasWorked) {
  StepGraphs working(std::make_unique<PlayedRecorder>());
  StepGraphs failed(std::make_unique<FailingRecorder>());
  EXPECT_EQ(of_steps(&working).kernel, "recorded graphs");
  EXPECT_EQ(of_steps(&failed).kernel, "one launch after the other");
  EXPECT_EQ(of_steps(&failed).reason, "a recording has failed: decode steps: no memory");
  EXPECT_EQ(of_steps(nullptr).reason, "this build or device records none");
}

TEST(KernelChoices, FusedKernelsAreNamedWithTheirRowsAndWhyNoMore) {
  EXPECT_EQ(of_layers({0, "no"}).kernel, "libtorch's operations");
  EXPECT_EQ(of_layers({0, "no"}).reason, "no");
  EXPECT_EQ(of_layers({16, "slower"}).kernel, "fused, up to 16 rows");
  EXPECT_EQ(of_layers({16, "slower"}).reason, "slower");
  EXPECT_FALSE(of_layers({64, ""}).reason.empty());
  const auto choices =
      kernel_choices(gpu, /*flash_attn=*/true, std::nullopt, KernelUse{0, "", true});
  EXPECT_EQ(choices[choices.size() - 3].part, "choice of tokens");
  EXPECT_EQ(choices[choices.size() - 3].kernel, "fused");
}

}  // namespace
}  // namespace engine
