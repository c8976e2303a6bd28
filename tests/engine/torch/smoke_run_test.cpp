#include "engine/torch/smoke_run.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <limits>

namespace engine {
namespace {

constexpr ComputeType types[] = {ComputeType::float32, ComputeType::float16, ComputeType::bfloat16};

SmokeResult result(ComputeType type, double factor) {
  const at::Tensor expected = at::arange(1, 101, at::kFloat);
  return {"matrix product", {at::kCPU, type}, expected * factor, expected};
}

TEST(SmokeRun, ThisCpuPassesInTheTypesItIsUsedWith) {
  for (const auto type : {ComputeType::float32, ComputeType::bfloat16}) {
    const auto well = smoke_run({at::kCPU, type});
    EXPECT_TRUE(well) << well.error().message;
  }
}

TEST(SmokeRun, RoundingPassesAndWrongNumbersDoNot) {
  for (const auto type : types) {
    const double allowed = allowed_error(type);
    EXPECT_TRUE(check(result(type, 1 + 0.9 * allowed))) << name(type);
    EXPECT_FALSE(check(result(type, 1 + 1.1 * allowed))) << name(type);
    EXPECT_FALSE(check(result(type, 0))) << name(type);
    EXPECT_FALSE(check(result(type, -1))) << name(type);
  }
}

TEST(SmokeRun, ADeviceThatDropsWhatItShouldAddFails) {
  SmokeResult wrong = result(ComputeType::float32, 1);
  wrong.found = wrong.expected.clone();
  wrong.found[99] = 0;
  EXPECT_FALSE(check(wrong));
}

TEST(SmokeRun, TheMessageNamesOperationTypeDeviceFoundAndAllowed) {
  const Error error = check(result(ComputeType::bfloat16, 1.25)).error();
  EXPECT_EQ(error.code, Errc::device_unavailable);
  EXPECT_EQ(
      error.message,
      "smoke run failed: the matrix product in bfloat16 on cpu differs from the CPU's by 25 %, "
      "and 5 % is allowed");
}

TEST(SmokeRun, NumbersThatAreNotFiniteFailEvenIfOne) {
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    SmokeResult wrong = result(ComputeType::float16, 1);
    wrong.found = wrong.expected.clone();
    wrong.found[3] = bad;
    EXPECT_EQ(
        check(wrong).error().message,
        "smoke run failed: the matrix product in float16 on cpu gave 1 of 100 numbers that are "
        "not finite (1 % of error is allowed)");
  }
}

TEST(SmokeRun, TriesInt8WeightsWhereTheModelHasThem) {
  EXPECT_TRUE(smoke_run({at::kCPU, ComputeType::float32, /*int8_weights=*/true}));
  EXPECT_TRUE(smoke_run({at::kCPU, ComputeType::bfloat16, /*int8_weights=*/true}));
}

TEST(SmokeRun, LeavesTheCommonRandomNumbersAndThreadsAlone) {
  at::set_num_threads(2);
  at::manual_seed(7);
  const at::Tensor expected = at::randn({4});
  at::manual_seed(7);
  ASSERT_TRUE(smoke_run({}));
  EXPECT_TRUE(at::equal(at::randn({4}), expected));
  EXPECT_EQ(at::get_num_threads(), 2);
}

}  // namespace
}  // namespace engine
