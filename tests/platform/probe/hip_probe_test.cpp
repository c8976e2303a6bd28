#include <gtest/gtest.h>

#include <csignal>

#include "fake_machine.h"
#include "platform/probe/probe.h"

namespace platform {
namespace {

using nlohmann::json;
using test::FakeMachine;

json healthy() {
  return {{"hip",
           {{"runtime", 60342134},
            {"devices",
             {{{"name", "AMD Radeon RX 6700 XT"},
               {"gfx", "gfx1031:xnack-"},
               {"pci", "0000:01:00.0"},
               {"total_mib", 12272},
               {"free_mib", 12000}}}}}}};
}

Facts amd_machine() {
  auto facts = test::facts_with_card(vendor_amd);
  facts.amd.nodes = {{.node = 1, .gfx = "gfx1031", .pci_address = "0000:01:00.0"}};
  return facts;
}

HipFacts probe(FakeMachine& machine, const json& world) {
  machine.world(world);
  return probe_native(amd_machine(), machine.settings()).hip;
}

TEST(HipProbe, ListsDevices) {
  FakeMachine machine;
  const auto hip = probe(machine, healthy());
  EXPECT_EQ(hip.probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(hip.probe.library, (test::doubles("hip") / "libamdhip64.so.6").string());
  EXPECT_EQ(hip.runtime_version, "6.3.42134");
  ASSERT_EQ(hip.devices.size(), 1U);
  const auto& card = hip.devices.front();
  EXPECT_EQ(card.name, "AMD Radeon RX 6700 XT");
  EXPECT_EQ(card.gfx, "gfx1031");
  EXPECT_EQ(card.pci_address, "0000:01:00.0");
  EXPECT_EQ(card.total_memory, 12272LL << 20);
  EXPECT_EQ(card.free_memory, 12000LL << 20);
}

TEST(HipProbe, TakesTheNameFromTheKernelWhereTheLibraryGivesNone) {
  for (const bool old_runtime : {false, true}) {
    FakeMachine machine;
    auto world = healthy();
    world["hip"]["devices"][0]["gfx"] = "Radeon";
    if (old_runtime) world["hip"]["results"] = {{"hipGetDevicePropertiesR0600", 1}};
    const auto hip = probe(machine, world);
    ASSERT_EQ(hip.devices.size(), 1U);
    EXPECT_EQ(hip.devices.front().gfx, "gfx1031");
    EXPECT_EQ(hip.probe.outcome, ProbeOutcome::answered);
  }
}

TEST(HipProbe, KnowsTheTotalWhereFreeMemoryIsNotTold) {
  FakeMachine machine;
  auto world = healthy();
  world["hip"]["results"] = {{"hipMemGetInfo", 2}};
  const auto hip = probe(machine, world);
  ASSERT_EQ(hip.devices.size(), 1U);
  EXPECT_FALSE(hip.devices.front().free_memory);
  EXPECT_EQ(hip.devices.front().total_memory, 12272LL << 20);
}

TEST(HipProbe, TellsThatNoDeviceIsVisible) {
  FakeMachine machine;
  machine.variable("HIP_VISIBLE_DEVICES", "-1");
  const auto hip = probe(machine, healthy());
  EXPECT_EQ(hip.probe.outcome, ProbeOutcome::failed);
  EXPECT_EQ(hip.probe.function, "hipGetDeviceCount");
  EXPECT_EQ(hip.probe.code, 100);
  EXPECT_EQ(hip.probe.code_name, "hipErrorNoDevice");
}

TEST(HipProbe, SurvivesALibraryThatDies) {
  FakeMachine machine;
  auto world = healthy();
  world["hip"]["behaviour"] = {{"hipInit", "segfault"}};
  const auto hip = probe(machine, world);
  EXPECT_EQ(hip.probe.outcome, ProbeOutcome::crashed);
  EXPECT_EQ(hip.probe.function, "hipInit");
  EXPECT_EQ(hip.probe.signal, SIGSEGV);
}

TEST(HipProbe, PrefersTheLibraryThatAPackBrings) {
  FakeMachine machine;
  machine.world(healthy());
  machine.library_path({});
  std::filesystem::create_directories(machine / "pack/lib");
  std::filesystem::copy(SCRIBED_RUNPATH_TEST_PATH, machine / "pack/scribed-worker");
  std::filesystem::copy(test::doubles("hip") / "libamdhip64.so.6",
                        machine / "pack/lib/libamdhip64.so.6");
  auto settings = machine.settings();
  settings.rocm_packs = {machine / "pack"};
  const auto hip = probe_native(amd_machine(), settings).hip;
  EXPECT_EQ(hip.probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(hip.probe.library, (machine / "pack/lib/libamdhip64.so.6").string());
}

}  // namespace
}  // namespace platform
