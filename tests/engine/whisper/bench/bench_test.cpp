#include "engine/whisper/bench/bench.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/whisper/bench/synthetic_weights.h"
#include "platform/cpu.h"

namespace engine {
namespace {

std::shared_ptr<const Weights> toy() {
  return synthetic_weights({80, 1500, 128, 2, 1, 51865, 448, 128, 2, 1});
}

BenchReport report(ComputeType type) {
  const BenchOptions options{.device = {{}, 1}, .type = type, .batches = {1, 3}, .seconds = 0};
  return run_bench(toy(), options, make_step_tools).value();
}

void expect_whole(const BenchReport& found) {
  EXPECT_GT(found.limits.operations_per_s, 1e8);
  EXPECT_GT(found.limits.bytes_per_s, 1e7);
  ASSERT_EQ(found.steps.size(), 2U);
  EXPECT_EQ(found.steps[0].batch, 1);
  EXPECT_EQ(found.steps[1].batch, 3);
  for (const BenchTime& time : {found.encoder, found.steps[0].time, found.steps[1].time}) {
    EXPECT_GT(time.seconds, 0);
    EXPECT_TRUE(std::isfinite(time.seconds));
    EXPECT_GT(time.ideal.seconds, 0);
  }
  EXPECT_FALSE(found.kernels.empty());
}

TEST(RunBench, MeasuresEveryBatchInFloat32) {
  expect_whole(report(ComputeType::float32));
}

TEST(RunBench, MeasuresTheKernelsOfInt8) {
  if (!platform::probe_cpu().avx2) GTEST_SKIP() << "needs AVX2";
  expect_whole(report(ComputeType::int8));
}

// The tests are linked without a GPU's code.
TEST(RunBench, ADeviceThatIsNotThereIsAnError) {
  const BenchOptions options{.device = {{DeviceKind::cuda, 0}, 1}};
  EXPECT_EQ(run_bench(toy(), options, make_step_tools).error().code, Errc::device_unavailable);
}

}  // namespace
}  // namespace engine
