#include "platform/facts/native_facts_json.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

using nlohmann::json;

NativeFacts full_facts() {
  NativeFacts native;
  native.cuda.probe = {.outcome = ProbeOutcome::answered, .library = "/usr/lib/libcuda.so.1"};
  native.cuda.driver_cuda = "12.4";
  native.cuda.devices = {{.index = 1,
                          .name = "NVIDIA GeForce RTX 3060",
                          .uuid = "GPU-1",
                          .pci_address = "0000:01:00.0",
                          .compute_capability = {8, 6},
                          .total_memory = 12'884'901'888,
                          .multiprocessors = 28,
                          .integrated = true}};
  native.nvml.probe = {.outcome = ProbeOutcome::failed,
                       .library = "libnvidia-ml.so.1",
                       .function = "nvmlInit_v2",
                       .code = 18,
                       .code_name = "NVML_ERROR_LIB_RM_VERSION_MISMATCH",
                       .text = "Driver/library version mismatch"};
  native.nvml.driver_version = "550.54.14";
  native.nvml.devices = {
      {.name = "a", .uuid = "b", .pci_address = "c", .total_memory = 5, .mig = true},
      {.free_memory = 0, .exclusive = true}};
  native.hip.probe = {.outcome = ProbeOutcome::crashed, .function = "hipInit", .signal = 6};
  native.hip.runtime_version = "6.3";
  native.hip.devices = {{.index = 0, .name = "n", .gfx = "gfx1031", .total_memory = 7}};
  native.metal.probe.outcome = ProbeOutcome::hung;
  native.metal.macos_version = "14.5";
  native.metal.rosetta = true;
  native.metal.devices = {{.name = "Apple M2",
                           .low_power = true,
                           .unified_memory = true,
                           .mac2 = true,
                           .recommended_working_set = 9,
                           .allocated = 1}};
  return native;
}

TEST(NativeFactsJson, GoesThereAndBack) {
  const auto written = to_json(full_facts());
  const auto read = from_json<NativeFacts>(json::parse(written.dump()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), written);
  EXPECT_EQ(read->cuda.probe.outcome, ProbeOutcome::answered);
  EXPECT_EQ(read->cuda.devices.at(0).compute_capability, (ComputeCapability{8, 6}));
  EXPECT_EQ(read->cuda.devices.at(0).total_memory, 12'884'901'888);
  EXPECT_EQ(read->nvml.probe.code, 18);
  EXPECT_EQ(read->nvml.devices.at(0).free_memory, std::nullopt);
  EXPECT_EQ(read->nvml.devices.at(1).free_memory, 0);
  EXPECT_TRUE(read->nvml.devices.at(1).exclusive);
  EXPECT_EQ(read->hip.probe.signal, 6);
  EXPECT_EQ(read->hip.devices.at(0).gfx, "gfx1031");
  EXPECT_TRUE(read->metal.rosetta);
  EXPECT_EQ(read->metal.devices.at(0).recommended_working_set, 9);
}

TEST(NativeFactsJson, PackLibrariesGoThereAndBack) {
  PackLibraries pack;
  pack.probe.outcome = ProbeOutcome::answered;
  pack.libraries = {{.soname = "libcudnn.so.9", .path = "/p/libcudnn.so.9"},
                    {.soname = "libcudnn_ops.so.9", .error = "cannot open"}};
  pack.cudnn = "9.17.1";
  pack.rocblas_gfx = {"gfx1030", "gfx90a"};
  const auto written = to_json(pack);
  const auto read = from_json<PackLibraries>(written);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read), written);
  EXPECT_EQ(read->libraries.at(1).error, "cannot open");
  EXPECT_EQ(read->rocblas_gfx, pack.rocblas_gfx);
}

TEST(NativeFactsJson, EveryOutcomeHasItsWord) {
  using enum ProbeOutcome;
  for (const auto outcome : {not_run, answered, library_missing, failed, hung, crashed}) {
    CudaFacts cuda;
    cuda.probe.outcome = outcome;
    const auto read = from_json<CudaFacts>(to_json(cuda));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->probe.outcome, outcome);
  }
}

TEST(NativeFactsJson, MissingFieldsKeepTheirDefaultsAndUnknownOnesAreIgnored) {
  const auto read = from_json<CudaFacts>(json::parse(R"({"devices": [{"name": "x"}], "new": 1})"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->probe.outcome, ProbeOutcome::not_run);
  EXPECT_EQ(read->devices.at(0).name, "x");
}

struct BadCase {
  const char* text;
  const char* message;
};

TEST(NativeFactsJson, MalformedFieldsAreNamed) {
  const std::vector<BadCase> cases{
      {"[]", "the answer is not an object"},
      {"null", "the answer is not an object"},
      {R"({"probe": 3})", "probe is not an object"},
      {R"({"probe": {"outcome": "fine"}})", "probe.outcome is not a known outcome"},
      {R"({"probe": {"outcome": 1}})", "probe.outcome is not a text"},
      {R"({"probe": {"code": 4294967296}})", "probe.code is not in range"},
      {R"({"probe": {"code": 1.5}})", "probe.code is not a whole number"},
      {R"({"devices": {}})", "devices is not a list"},
      {R"({"devices": [{}, {"index": "0"}]})", "devices[1].index is not a whole number"},
      {R"({"devices": [{"total_memory": 18446744073709551615}]})",
       "devices[0].total_memory is not in range"},
      {R"({"devices": [{"integrated": 0}]})", "devices[0].integrated is not true or false"},
      {R"({"devices": [{"compute_capability": "new"}]})",
       "devices[0].compute_capability is not a compute capability"},
  };
  for (const auto& one : cases) {
    const auto read = from_json<CudaFacts>(json::parse(one.text));
    ASSERT_FALSE(read) << one.text;
    EXPECT_EQ(read.error().message, one.message);
  }
}

TEST(NativeFactsJson, BytesThatAreNoTextDoNotStopTheDump) {
  CudaFacts cuda;
  cuda.probe.text = "bad \xff byte";
  EXPECT_EQ(json::parse(to_json(cuda).dump())["probe"]["text"], "bad \xEF\xBF\xBD byte");
}

}  // namespace
}  // namespace platform
