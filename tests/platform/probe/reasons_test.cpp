#include "platform/probe/reasons.h"

#include <gtest/gtest.h>

#include "fake_machine.h"
#include "platform/probe/probe.h"

namespace platform {
namespace {

TEST(Reasons, AnyTraceOfNvidiaIsOne) {
  EXPECT_FALSE(worth_asking_nvidia({}));
  EXPECT_TRUE(worth_asking_nvidia(test::facts_with_card(vendor_nvidia)));
  EXPECT_FALSE(worth_asking_nvidia(test::facts_with_card(vendor_intel)));

  Facts module, node, gone, jetson, nvml;
  module.nvidia.module_version = "550.54.14";
  node.nvidia.nodes = {{.path = "/dev/dxg", .exists = true}};
  gone.nvidia.nodes = {{.path = "/dev/nvidiactl", .exists = false}};
  jetson.nvidia.libraries = {{.soname = "libcuda.so.1"}};
  nvml.nvidia.libraries = {{.soname = "libnvidia-ml.so.1"}};
  EXPECT_TRUE(worth_asking_nvidia(module));
  EXPECT_TRUE(worth_asking_nvidia(node));
  EXPECT_FALSE(worth_asking_nvidia(gone));
  EXPECT_TRUE(worth_asking_nvidia(jetson));
  EXPECT_FALSE(worth_asking_nvidia(nvml));
}

TEST(Reasons, TheLibraryOfHipAloneIsNone) {
  Facts facts;
  facts.amd.libraries = {{.soname = "libamdhip64.so.6"}};
  EXPECT_FALSE(worth_asking_amd(facts));
  facts.amd.kfd = {.path = "/dev/kfd", .exists = true};
  EXPECT_TRUE(worth_asking_amd(facts));
  facts.amd.kfd.exists = false;
  facts.nvidia.nodes = {{.path = "/dev/dxg", .exists = true}};
  EXPECT_TRUE(worth_asking_amd(facts));
  facts.amd.libraries.clear();
  EXPECT_FALSE(worth_asking_amd(facts));
}

TEST(Reasons, AnAmdCardIsOne) {
  EXPECT_TRUE(worth_asking_amd(test::facts_with_card(vendor_amd)));
  Facts facts;
  facts.amd.nodes = {{.node = 1, .gfx = "gfx1030"}};
  EXPECT_TRUE(worth_asking_amd(facts));
}

TEST(Reasons, WithoutThemNoProcessIsStarted) {
  test::FakeMachine machine;
  Facts facts = test::facts_with_card(vendor_intel);
  facts.amd.libraries = {{.soname = "libamdhip64.so.6"}};
  const auto native = probe_native(facts, machine.settings());
  EXPECT_EQ(native.cuda.probe.outcome, ProbeOutcome::not_run);
  EXPECT_EQ(native.nvml.probe.outcome, ProbeOutcome::not_run);
  EXPECT_EQ(native.hip.probe.outcome, ProbeOutcome::not_run);
  EXPECT_EQ(native.metal.probe.outcome, ProbeOutcome::not_run);
  EXPECT_TRUE(machine.asked().empty());
}

}  // namespace
}  // namespace platform
