#include <gtest/gtest.h>

#include <csignal>

#include "fake_machine.h"
#include "platform/probe/probe.h"

namespace platform {
namespace {

using nlohmann::json;
using test::FakeMachine;

constexpr auto uuid = "GPU-01234567-89ab-cdef-0123-456789abcdef";

json healthy() {
  return {
      {"cuda",
       {{"driver_cuda", 12040},
        {"devices",
         {{{"name", "NVIDIA GeForce RTX 3060"},
           {"uuid", uuid},
           {"pci", "0000:01:00.0"},
           {"cc", {8, 6}},
           {"total_mib", 12288},
           {"multiprocessors", 28}},
          {{"name", "Tegra"}, {"pci", "0000:0A:00.0"}, {"cc", {8, 7}}, {"integrated", true}}}}}},
      {"nvml",
       {{"driver", "550.54.14"},
        {"devices",
         {{{"name", "NVIDIA GeForce RTX 3060"},
           {"uuid", uuid},
           {"pci", "0000:01:00.0"},
           {"total_mib", 12288},
           {"free_mib", 11900}}}}}}};
}

NativeFacts probe(FakeMachine& machine, const json& world) {
  machine.world(world);
  return probe_native(test::facts_with_card(vendor_nvidia), machine.settings());
}

TEST(CudaProbe, ListsDevicesAndTheDriversCuda) {
  FakeMachine machine;
  const auto cuda = probe(machine, healthy()).cuda;
  EXPECT_EQ(cuda.probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(cuda.probe.library, (test::doubles("cuda") / "libcuda.so.1").string());
  EXPECT_EQ(cuda.driver_cuda, "12.4");
  ASSERT_EQ(cuda.devices.size(), 2U);
  const auto& card = cuda.devices.front();
  EXPECT_EQ(card.index, 0);
  EXPECT_EQ(card.name, "NVIDIA GeForce RTX 3060");
  EXPECT_EQ(card.uuid, uuid);
  EXPECT_EQ(card.pci_address, "0000:01:00.0");
  EXPECT_EQ(card.compute_capability, (ComputeCapability{8, 6}));
  EXPECT_EQ(card.total_memory, 12288LL << 20);
  EXPECT_EQ(card.multiprocessors, 28);
  EXPECT_FALSE(card.integrated);
  EXPECT_EQ(cuda.devices.back().index, 1);
  EXPECT_EQ(cuda.devices.back().pci_address, "0000:0a:00.0");
  EXPECT_TRUE(cuda.devices.back().integrated);
}

TEST(CudaProbe, SaysWhichFunctionFailedWithWhatCode) {
  FakeMachine machine;
  auto world = healthy();
  world["cuda"]["results"] = {{"cuInit", 804}};
  const auto cuda = probe(machine, world).cuda;
  EXPECT_EQ(cuda.probe.outcome, ProbeOutcome::failed);
  EXPECT_EQ(cuda.probe.function, "cuInit");
  EXPECT_EQ(cuda.probe.code, 804);
  EXPECT_EQ(cuda.probe.code_name, "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE");
  EXPECT_EQ(cuda.probe.text, "forward compatibility was attempted on non supported HW");
  EXPECT_EQ(cuda.driver_cuda, "12.4") << "is known without cuInit";
  EXPECT_TRUE(cuda.devices.empty());
}

TEST(CudaProbe, HasNoNameForACodeThatTheLibraryDoesNotKnow) {
  FakeMachine machine;
  auto world = healthy();
  world["cuda"]["results"] = {{"cuDeviceGetCount", 4711}};
  const auto cuda = probe(machine, world).cuda;
  EXPECT_EQ(cuda.probe.outcome, ProbeOutcome::failed);
  EXPECT_EQ(cuda.probe.function, "cuDeviceGetCount");
  EXPECT_EQ(cuda.probe.code, 4711);
  EXPECT_EQ(cuda.probe.code_name, "");
}

TEST(CudaProbe, SeesWhatTheVariableLeavesVisible) {
  struct Case {
    const char* variable;
    std::vector<std::string> names;
  };
  for (const auto& [variable, names] :
       {Case{"1,0", {"Tegra", "NVIDIA GeForce RTX 3060"}},
        Case{"GPU-0123", {"NVIDIA GeForce RTX 3060"}}, Case{"", {}}, Case{"-1", {}}}) {
    FakeMachine machine;
    machine.variable("CUDA_VISIBLE_DEVICES", variable);
    const auto cuda = probe(machine, healthy()).cuda;
    std::vector<std::string> seen;
    for (const auto& device : cuda.devices) seen.push_back(device.name);
    EXPECT_EQ(seen, names) << variable;
    EXPECT_EQ(cuda.probe.code, names.empty() ? 100 : 0) << variable;
  }
}

TEST(CudaProbe, SaysThatThereIsNoLibrary) {
  FakeMachine machine;
  machine.library_path({});
  const auto cuda = probe(machine, healthy()).cuda;
  if (cuda.probe.outcome != ProbeOutcome::library_missing) GTEST_SKIP() << "a real driver is here";
  EXPECT_EQ(cuda.probe.library, "libcuda.so.1");
  EXPECT_NE(cuda.probe.text.find("libcuda.so.1"), std::string::npos);
}

TEST(CudaProbe, SaysThatALibraryLacksAFunction) {
  FakeMachine machine;
  std::filesystem::copy(test::doubles("cublas") / "libcublas.so.13", machine / "libcuda.so.1");
  machine.library_path({machine / ""});
  const auto cuda = probe(machine, healthy()).cuda;
  EXPECT_EQ(cuda.probe.outcome, ProbeOutcome::failed);
  EXPECT_EQ(cuda.probe.function, "cuInit");
  EXPECT_NE(cuda.probe.text.find("has no function cuInit"), std::string::npos);
}

TEST(CudaProbe, KillsALibraryThatHangsAndNamesTheFunction) {
  FakeMachine machine;
  auto world = healthy();
  world["cuda"]["behaviour"] = {{"cuInit", "hang"}};
  machine.world(world);
  auto settings = machine.settings();
  settings.limit = std::chrono::seconds(3);
  const auto native = probe_native(test::facts_with_card(vendor_nvidia), settings);
  EXPECT_EQ(native.cuda.probe.outcome, ProbeOutcome::hung);
  EXPECT_EQ(native.cuda.probe.function, "cuInit");
  EXPECT_EQ(native.cuda.probe.library, (test::doubles("cuda") / "libcuda.so.1").string());
  EXPECT_EQ(native.cuda.driver_cuda, "12.4") << "what it said before stays";
  EXPECT_EQ(native.nvml.probe.outcome, ProbeOutcome::answered) << "the others are not held up";
}

TEST(CudaProbe, SurvivesALibraryThatDies) {
  struct Case {
    const char* behaviour;
    int signal;
    const char* text;
  };
  for (const auto& [behaviour, signal, text] :
       {Case{"abort", SIGABRT, ""}, Case{"segfault", SIGSEGV, ""},
        Case{"print:Unable to load any of {libx.so}", SIGABRT,
             "Unable to load any of {libx.so}"}}) {
    FakeMachine machine;
    auto world = healthy();
    world["cuda"]["behaviour"] = {{"cuDeviceGetName", behaviour}};
    const auto cuda = probe(machine, world).cuda;
    EXPECT_EQ(cuda.probe.outcome, ProbeOutcome::crashed) << behaviour;
    EXPECT_EQ(cuda.probe.function, "cuDeviceGetName") << behaviour;
    EXPECT_EQ(cuda.probe.signal, signal) << behaviour;
    EXPECT_EQ(cuda.probe.text, text) << behaviour;
  }
}

TEST(CudaProbe, IsNotConfusedByWhatALibraryPrints) {
  FakeMachine machine;
  auto world = healthy();
  world["cuda"]["behaviour"] = {
      {"cuDriverGetVersion", R"(say:{"answer": {"probe": {"outcome": "answered"}}})"},
      {"cuInit", "abort"}};
  EXPECT_EQ(probe(machine, world).cuda.probe.outcome, ProbeOutcome::crashed);
}

TEST(NvmlProbe, ListsCardsWithTheirMemory) {
  FakeMachine machine;
  const auto nvml = probe(machine, healthy()).nvml;
  EXPECT_EQ(nvml.probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(nvml.driver_version, "550.54.14");
  ASSERT_EQ(nvml.devices.size(), 1U);
  const auto& card = nvml.devices.front();
  EXPECT_EQ(card.name, "NVIDIA GeForce RTX 3060");
  EXPECT_EQ(card.uuid, uuid);
  EXPECT_EQ(card.pci_address, "0000:01:00.0");
  EXPECT_EQ(card.total_memory, 12288LL << 20);
  EXPECT_EQ(card.free_memory, 11900LL << 20);
  EXPECT_FALSE(card.mig);
  EXPECT_FALSE(card.exclusive);
}

TEST(NvmlProbe, TellsALibraryThatDoesNotFitTheModule) {
  FakeMachine machine;
  auto world = healthy();
  world["nvml"]["results"] = {{"nvmlInit_v2", 18}};
  const auto native = probe(machine, world);
  EXPECT_EQ(native.nvml.probe.outcome, ProbeOutcome::failed);
  EXPECT_EQ(native.nvml.probe.function, "nvmlInit_v2");
  EXPECT_EQ(native.nvml.probe.code, 18);
  EXPECT_EQ(native.nvml.probe.text, "Driver/library version mismatch");
  EXPECT_EQ(native.cuda.probe.outcome, ProbeOutcome::answered);
}

TEST(NvmlProbe, ListsTheOtherCardsBesideALostOne) {
  FakeMachine machine;
  auto world = healthy();
  auto& devices = world["nvml"]["devices"];
  devices.insert(devices.begin(), json{{"name", "lost"}, {"handle_result", 15}});
  const auto nvml = probe(machine, world).nvml;
  EXPECT_EQ(nvml.probe.outcome, ProbeOutcome::failed);
  EXPECT_EQ(nvml.probe.code, 15);
  ASSERT_EQ(nvml.devices.size(), 1U);
  EXPECT_EQ(nvml.devices.front().uuid, uuid);
}

TEST(NvmlProbe, TakesTheMemoryOfTheOnlyMigInstance) {
  const json instance{{"total_mib", 4864}, {"free_mib", 4800}};
  const json two = json::array({instance, instance});
  for (const auto& instances : {json::array({instance}), two}) {
    FakeMachine machine;
    auto world = healthy();
    auto& card = world["nvml"]["devices"][0];
    card["mig"] = 1;
    card["mig_instances"] = instances;
    card["compute_mode"] = 3;
    const auto nvml = probe(machine, world).nvml;
    ASSERT_EQ(nvml.devices.size(), 1U);
    EXPECT_TRUE(nvml.devices.front().mig);
    EXPECT_TRUE(nvml.devices.front().exclusive);
    if (instances.size() == 1) {
      EXPECT_EQ(nvml.devices.front().free_memory, 4800LL << 20);
    } else {
      EXPECT_FALSE(nvml.devices.front().free_memory) << "nobody knows which one it will be";
    }
  }
}

TEST(NvmlProbe, GoesOnWithoutWhatACardDoesNotTell) {
  FakeMachine machine;
  auto world = healthy();
  world["nvml"]["results"] = {{"nvmlDeviceGetMemoryInfo", 4}, {"nvmlDeviceGetMigMode", 3}};
  const auto nvml = probe(machine, world).nvml;
  EXPECT_EQ(nvml.probe.outcome, ProbeOutcome::answered);
  ASSERT_EQ(nvml.devices.size(), 1U);
  EXPECT_FALSE(nvml.devices.front().free_memory);
}

}  // namespace
}  // namespace platform
