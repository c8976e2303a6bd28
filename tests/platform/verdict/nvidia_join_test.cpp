#include <gtest/gtest.h>

#include "platform/verdict/finding_codes.h"
#include "tests/platform/verdict/world.h"

// These tests check that NVML's report of a card is joined to that card.
namespace platform::test {
namespace {

// CUDA counts the fastest card first, NVML by the bus.
World two_cards() {
  World world = nvidia_machine();
  Facts& facts = world.facts;
  facts.pci.push_back(facts.pci[0]);
  facts.pci[1].address = "0000:02:00.0";
  auto& cuda = facts.native.cuda.devices;
  cuda.push_back(cuda[0]);
  cuda[0].pci_address = "0000:02:00.0";
  cuda[0].uuid = "GPU-22222222";
  cuda[1].index = 1;
  auto& nvml = facts.native.nvml.devices;
  nvml.push_back(nvml[0]);
  nvml[1].uuid = "GPU-22222222";
  nvml[1].pci_address = "00000000:02:00.0";
  nvml[0].free_memory = 1 * gib_bytes;
  nvml[1].free_memory = 9 * gib_bytes;
  return world;
}

TEST(NvmlJoin, IsByUuidAndNotByIndex) {
  World world = two_cards();
  for (auto& device : world.facts.native.nvml.devices) device.pci_address.clear();
  const auto verdicts = judge(world);
  EXPECT_EQ(verdicts[0].device(), "cuda:0");
  EXPECT_EQ(verdicts[0].free_memory, 9 * gib_bytes);
  EXPECT_EQ(verdicts[1].free_memory, 1 * gib_bytes);
}

TEST(NvmlJoin, IsByPciAddressWhereUuidsAreMissing) {
  World world = two_cards();
  for (auto& device : world.facts.native.nvml.devices) device.uuid.clear();
  const auto verdicts = judge(world);
  EXPECT_EQ(verdicts[0].free_memory, 9 * gib_bytes);
  EXPECT_EQ(verdicts[1].free_memory, 1 * gib_bytes);
}

TEST(NvmlJoin, AFullCardIsFullAndNotUnknown) {
  World world = nvidia_machine();
  world.facts.native.nvml.devices[0].free_memory = 0;
  EXPECT_EQ(judge(world, Backend::cuda).status, Status::blocked);
}

TEST(NvmlJoin, WithoutNvmlAllOfTheMemoryCounts) {
  World world = nvidia_machine();
  world.facts.native.nvml = {.probe = {.outcome = ProbeOutcome::library_missing}};
  world.facts.native.cuda.devices[0].total_memory = 600 * mib;
  const Verdict verdict = judge(world, Backend::cuda);
  EXPECT_EQ(verdict.headline()->code, code::memory_too_small);
  EXPECT_NE(verdict.headline()->evidence.read_from.find("total, not free"), std::string::npos);
}

TEST(NvmlJoin, AMigInstanceHasItsOwnMemory) {
  World world = nvidia_machine();
  world.facts.native.nvml.devices[0].mig = true;
  world.facts.native.cuda.devices[0].uuid = "MIG-33333333";
  world.facts.native.cuda.devices[0].total_memory = 600 * mib;
  EXPECT_EQ(judge(world, Backend::cuda).headline()->code, code::memory_too_small);
}

TEST(NvmlJoin, AnIntegratedGpuHasTheMemoryThatIsFreeInTheMachine) {
  World world = nvidia_machine();
  world.facts.native.nvml = {};
  world.facts.native.cuda.devices[0].integrated = true;
  world.facts.memory.available = 600 * mib;
  EXPECT_EQ(judge(world, Backend::cuda).headline()->code, code::memory_too_small);
}

TEST(NvidiaCards, ACardThatTheDriverLeavesOutHasAVerdictOfItsOwn) {
  World world = two_cards();
  world.facts.native.cuda.devices.pop_back();
  world.set("CUDA_VISIBLE_DEVICES", "1");
  const auto verdicts = judge(world);
  ASSERT_EQ(verdicts.size(), 3U);
  EXPECT_TRUE(verdicts[0].usable());
  EXPECT_EQ(verdicts[1].pci_address, "0000:01:00.0");
  EXPECT_EQ(verdicts[1].headline()->code, code::cuda_devices_hidden);
}

}  // namespace
}  // namespace platform::test
