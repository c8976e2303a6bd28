#include "platform/facts/facts_json.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

TEST(FactsJson, ShowsEveryPart) {
  Facts facts;
  facts.os.name = "Debian";
  facts.cpu.avx2 = true;
  facts.numa_nodes = {{.node = 1, .cpus = {2, 3}, .cores = 2}};
  facts.memory = {.total = 16, .available = 8, .limit = 6, .in_use = 1};
  facts.pci = {{.address = "0000:01:00.0", .vendor = vendor_nvidia, .device = 0x0fe, .name = "x"}};
  facts.nvidia.module_version = "550.54.14";
  facts.nvidia.nodes = {{.path = "/dev/nvidiactl", .exists = true, .open_error = 13}};
  facts.nvidia.libraries = {{.soname = "libcuda.so.1", .version = "550.54.14"}};
  facts.amd.nodes = {{.node = 1, .vendor = vendor_amd, .gfx = "gfx1031", .vram_total = 5}};
  facts.environment = {{"CUDA_VISIBLE_DEVICES", "0"}};
  facts.native.cuda.driver_cuda = "12.4";
  const auto json = to_json(facts);
  EXPECT_EQ(json["os"]["name"], "Debian");
  EXPECT_EQ(json["cpu"]["isa"], "avx2");
  EXPECT_EQ(json["numa_nodes"][0]["node"], 1);
  EXPECT_EQ(json["numa_nodes"][0]["cpus"], (std::vector<int>{2, 3}));
  EXPECT_EQ(json["memory"]["limit"], 6);
  EXPECT_EQ(json["memory"]["free"], 5);
  EXPECT_EQ(json["pci"][0]["vendor"], "10de");
  EXPECT_EQ(json["pci"][0]["device"], "00fe");
  EXPECT_EQ(json["nvidia"]["nodes"][0]["open_error"], 13);
  EXPECT_EQ(json["nvidia"]["libraries"][0]["version"], "550.54.14");
  EXPECT_EQ(json["amd"]["nodes"][0]["vram_total"], 5);
  EXPECT_TRUE(json["amd"]["nodes"][0]["gtt_total"].is_null());
  EXPECT_EQ(json["environment"][0]["value"], "0");
  EXPECT_EQ(json["native"]["cuda"]["driver_cuda"], "12.4");
}

TEST(FactsJson, VariablesMayHoldAnyBytes) {
  Facts facts;
  facts.environment = {{"LD_LIBRARY_PATH", "/\xff"}};
  EXPECT_NO_THROW(to_json(facts).dump());
}

}  // namespace
}  // namespace platform
