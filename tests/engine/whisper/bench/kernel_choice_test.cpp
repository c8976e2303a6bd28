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

KernelChoice of_steps(StepGraphs* graphs) {
  if (graphs != nullptr) graphs->run({}, [] { return at::zeros({1}); });
  const Placement gpu{at::Device(at::kCUDA, 0), ComputeType::float16};
  return kernel_choices(gpu, /*flash_attn=*/true, graphs).back();
}

TEST(KernelChoices, StepsAreRecordedGraphsOnlyWhereRecordingHasWorked) {
  StepGraphs working(std::make_unique<PlayedRecorder>());
  StepGraphs failed(std::make_unique<FailingRecorder>());
  EXPECT_EQ(of_steps(&working).kernel, "recorded graphs");
  EXPECT_EQ(of_steps(&failed).kernel, "one launch after the other");
  EXPECT_EQ(of_steps(&failed).reason, "a step could not be recorded: no memory");
  EXPECT_EQ(of_steps(nullptr).reason, "this build or device records none");
}

}  // namespace
}  // namespace engine
