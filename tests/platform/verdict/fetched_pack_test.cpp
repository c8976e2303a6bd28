#include <gtest/gtest.h>

#include <algorithm>

#include "platform/verdict/choice.h"
#include "platform/verdict/finding_codes.h"
#include "tests/platform/verdict/world.h"

// Packs whose worker is there, and whose libraries are still to be fetched.
namespace platform::test {
namespace {

Pack cuda_12() {
  return {.name = "cuda-12",
          .worker = "/opt/scribed/runtimes/cuda-12/scribed-worker",
          .build = {.backend = Backend::cuda,
                    .torch = "2.11.0",
                    .variant = "cu126",
                    .cuda = "12.6",
                    .cudnn = "9.10.2.21",
                    .arch_list = {{5, 0}, {6, 0}, {7, 0}, {7, 5}, {8, 0}, {8, 6}, {9, 0}}},
          .install_command = "scribed packs install cuda12"};
}

// The machine has a card, and both packs without their libraries.
World unfetched_machine() {
  World world = nvidia_machine();
  world.pack(Backend::cuda).install_command = "scribed packs install cuda";
  world.packs.insert(world.packs.begin() + 1, cuda_12());
  return world;
}

void set_driver(World& world, const std::string& version, const std::string& cuda) {
  world.facts.nvidia.module_version = version;
  world.facts.native.nvml.driver_version = version;
  world.facts.native.cuda.driver_cuda = cuda;
}

std::optional<Finding> obstacle(const World& world) {
  const auto verdicts = evaluate(world.facts, built_in(), world.packs, world.request);
  const auto choice = choose(verdicts, world.request);
  EXPECT_TRUE(choice);
  if (!choice || !choice->fallback) return std::nullopt;
  EXPECT_EQ(choice->verdict.backend, Backend::cpu);
  EXPECT_EQ(choice->verdict.pack.name, "cpu");
  return choice->fallback->finding;
}

TEST(FetchedPacks, TheNewestThatFitsIsProposed) {
  const auto finding = obstacle(unfetched_machine());
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->code, code::cuda_pack_missing);
  EXPECT_NE(finding->fix.front().find("`scribed packs install cuda`"), std::string::npos);
}

TEST(FetchedPacks, AnOlderDriverGetsTheOlderPack) {
  World world = unfetched_machine();
  set_driver(world, "550.54.14", "12.4");
  const auto finding = obstacle(world);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->code, code::cuda_pack_missing);
  EXPECT_NE(finding->fix.front().find("`scribed packs install cuda12`"), std::string::npos);
}

TEST(FetchedPacks, AnOlderCardGetsTheOlderPack) {
  World world = unfetched_machine();
  world.facts.native.cuda.devices[0].compute_capability = {6, 0};
  const auto finding = obstacle(world);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->code, code::cuda_pack_missing);
  EXPECT_NE(finding->fix.front().find("`scribed packs install cuda12`"), std::string::npos);
}

TEST(FetchedPacks, WhereNoneFitsNothingIsProposed) {
  World world = unfetched_machine();
  set_driver(world, "470.82.01", "11.4");
  const auto finding = obstacle(world);
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->code, code::cuda_driver_too_old);
}

TEST(FetchedPacks, OneThatIsReadyIsUsed) {
  World world = unfetched_machine();
  world.pack(Backend::cuda).install_command.clear();  // cuda-12, which comes first
  const auto verdicts = evaluate(world.facts, built_in(), world.packs, world.request);
  const auto choice = choose(verdicts, world.request);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->verdict.pack.name, "cuda-12");
}

TEST(FetchedPacks, WithoutACardTheyAreNoReasonForAWord) {
  World world = plain_machine();
  world.packs.push_back(cuda_12());
  const auto verdicts = evaluate(world.facts, built_in(), world.packs, world.request);
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].pack.name, "cpu");
}

TEST(FetchedPacks, TheyDoNotTheWorkOfTheCpu) {
  World world = plain_machine();
  world.packs = {cuda_12()};
  const auto verdicts = evaluate(world.facts, built_in(), world.packs, world.request);
  ASSERT_EQ(verdicts.size(), 1U);
  EXPECT_EQ(verdicts[0].headline()->code, code::cpu_pack_missing);
}

}  // namespace
}  // namespace platform::test
