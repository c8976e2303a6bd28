#include "engine/whisper/bench/kernel_choice.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

class Graphs : public StepGraphs {
 public:
  explicit Graphs(bool gave_up) : gave_up_(gave_up) {}
  at::Tensor run(const StepShape&, const std::function<at::Tensor()>& step) override {
    return step();
  }
  void forget() override {}
  bool gave_up() const override { return gave_up_; }

 private:
  bool gave_up_;
};

KernelChoice of_steps(const StepGraphs* graphs) {
  const Placement gpu{at::Device(at::kCUDA, 0), ComputeType::float16};
  return kernel_choices(gpu, /*flash_attn=*/true, graphs).back();
}

TEST(KernelChoices, StepsAreRecordedGraphsOnlyWhereRecordingHasWorked) {
  const Graphs working(false);
  const Graphs failed(true);
  EXPECT_EQ(of_steps(&working).kernel, "recorded graphs");
  EXPECT_EQ(of_steps(&failed).kernel, "one launch after the other");
  EXPECT_EQ(of_steps(&failed).reason, "a step could not be recorded");
  EXPECT_EQ(of_steps(nullptr).reason, "this build or device records none");
}

}  // namespace
}  // namespace engine
