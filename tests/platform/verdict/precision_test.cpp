#include <gtest/gtest.h>

#include "platform/verdict/finding_codes.h"
#include "tests/platform/verdict/world.h"

namespace platform::test {
namespace {

// The card has kernels, so that only the compute type is in question.
World with_capability(int major, int minor) {
  World world = nvidia_machine();
  world.facts.native.cuda.devices[0].compute_capability = {major, minor};
  world.pack(Backend::cuda).build.arch_list = {{major, minor}};
  world.pack(Backend::cuda).build.cudnn = "9.10.2.21";
  return world;
}

struct Row {
  int major, minor;
  const char* automatic;
  Status float16, bfloat16;
};

constexpr Row rows[] = {
    {5, 0, "float32", Status::degraded, Status::blocked},
    {6, 0, "float16", Status::ok, Status::blocked},
    {6, 1, "float32", Status::degraded, Status::blocked},
    {7, 0, "float16", Status::ok, Status::degraded},
    {7, 5, "float16", Status::ok, Status::degraded},
    {8, 6, "float16", Status::ok, Status::ok},
    {9, 0, "float16", Status::ok, Status::ok},
    {12, 0, "float16", Status::ok, Status::ok},
};

TEST(Precision, OfNvidiaGoesByComputeCapability) {
  for (const auto& row : rows) {
    World world = with_capability(row.major, row.minor);
    EXPECT_EQ(judge(world, Backend::cuda).compute_type, row.automatic) << row.major << row.minor;
    world.request.compute_type = "float16";
    EXPECT_EQ(judge(world, Backend::cuda).status, row.float16) << row.major << row.minor;
    world.request.compute_type = "bfloat16";
    EXPECT_EQ(judge(world, Backend::cuda).status, row.bfloat16) << row.major << row.minor;
    world.request.compute_type = "float32";
    EXPECT_EQ(judge(world, Backend::cuda).status, Status::ok) << row.major << row.minor;
  }
}

TEST(Precision, Int8OfACardIsAsFastAsItsFloat16) {
  World world = nvidia_machine();
  world.request.compute_type = "int8";
  EXPECT_EQ(judge(world, Backend::cuda).status, Status::ok);
  EXPECT_EQ(judge(world, Backend::cuda).compute_type, "int8");
  World amd = amd_machine();
  amd.request.compute_type = "int8";
  EXPECT_EQ(judge(amd, Backend::rocm).compute_type, "int8");
  World apple = apple_machine();
  apple.request.compute_type = "int8";
  EXPECT_EQ(judge(apple, Backend::mps).status, Status::blocked);
}

TEST(Precision, OfTheCpuGoesByItsInstructions) {
  World world = plain_machine();
  world.facts.cpu.avx512_vnni = true;
  EXPECT_EQ(judge(world, Backend::cpu).compute_type, "int8");
  world.facts.cpu.avx512_vnni = false;
  EXPECT_EQ(judge(world, Backend::cpu).compute_type, "bfloat16");
  world.facts.cpu.avx512_bf16 = false;
  EXPECT_EQ(judge(world, Backend::cpu).compute_type, "float32");
}

TEST(Precision, TheCpuStandsInForAGpuWithATypeOfItsOwn) {
  World world = plain_machine();
  world.request.compute_type = "float16";
  const Verdict verdict = judge(world, Backend::cpu);
  EXPECT_TRUE(verdict.usable());
  EXPECT_EQ(verdict.compute_type, "bfloat16");
  EXPECT_EQ(verdict.headline()->code, code::precision_not_supported);
}

TEST(Precision, OfAmdAndApple) {
  EXPECT_EQ(judge(amd_machine(), Backend::rocm).compute_type, "float16");
  World apple = apple_machine();
  EXPECT_EQ(judge(apple, Backend::mps).compute_type, "float16");
  apple.request.compute_type = "bfloat16";
  EXPECT_TRUE(judge(apple, Backend::mps).usable());
}

}  // namespace
}  // namespace platform::test
