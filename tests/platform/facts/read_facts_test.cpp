#include "platform/facts/read_facts.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/platform/facts/fake_tree.h"

namespace platform {
namespace {

TEST(ReadFacts, AnEmptyTreeTellsNothingOfThisMachine) {
  FakeTree tree;
  const auto facts = read_facts(tree.system(), {});
  EXPECT_EQ(facts.os.kernel, "");
  EXPECT_EQ(facts.cpu.model_name, "");
  EXPECT_EQ(facts.memory.total, 0);
  EXPECT_TRUE(facts.pci.empty());
  EXPECT_EQ(facts.native.cuda.probe.outcome, ProbeOutcome::not_run);
}

TEST(ReadFacts, PutsAMachineTogether) {
  FakeTree tree;
  const std::string card = "/sys/bus/pci/devices/0000:01:00.0";
  tree.file("/etc/os-release", "PRETTY_NAME=\"Ubuntu 24.04.2 LTS\"\n")
      .file("/proc/cpuinfo", "processor : 0\nmodel name : Some CPU\nflags : fpu avx2\n")
      .file("/proc/meminfo", "MemTotal: 1024 kB\nMemAvailable: 512 kB\n")
      .file(card + "/class", "0x030000\n")
      .file(card + "/vendor", "0x10de\n")
      .file(card + "/device", "0x2504\n")
      .file("/sys/module/nvidia/version", "550.54.14\n")
      .folder("/sys/module/amdgpu");
  const auto facts = read_facts(tree.system(), {});
  EXPECT_EQ(facts.os.name, "Ubuntu 24.04.2 LTS");
  EXPECT_EQ(facts.cpu.model_name, "Some CPU");
  EXPECT_TRUE(facts.cpu.avx2);
  EXPECT_EQ(facts.memory.available, 512 * 1024);
  ASSERT_EQ(facts.pci.size(), 1U);
  EXPECT_EQ(facts.pci[0].device, 0x2504);
  EXPECT_EQ(facts.nvidia.module_version, "550.54.14");
  EXPECT_TRUE(facts.amd.amdgpu);
}

TEST(ReadFacts, ReportsTheVariablesThatAreSet) {
  FakeTree tree;
  const auto system = tree.system({{"CUDA_VISIBLE_DEVICES", ""}, {"HOME", "/x"}});
  const auto facts = read_facts(system, {"HSA_OVERRIDE_GFX_VERSION", "CUDA_VISIBLE_DEVICES"});
  ASSERT_EQ(facts.environment.size(), 1U);
  EXPECT_EQ(facts.environment[0].name, "CUDA_VISIBLE_DEVICES");
  EXPECT_EQ(facts.environment[0].value, "");
}

TEST(ReadFacts, ReportsTheVariablesThatAreJudgedUnasked) {
  FakeTree tree;
  const auto system = tree.system({{"HSA_OVERRIDE_GFX_VERSION", "10.3.0"}, {"OTHER", "x"}});
  const auto facts = read_facts(system, {});
  ASSERT_EQ(facts.environment.size(), 1U);
  EXPECT_EQ(facts.environment[0].name, "HSA_OVERRIDE_GFX_VERSION");
}

TEST(ReadFacts, ThisMachineHasAKernelAndMemory) {
  const auto facts = read_facts(System{}, {});
  EXPECT_NE(facts.os.kernel, "");
  EXPECT_NE(facts.os.architecture, "");
  EXPECT_GT(facts.memory.total, 0);
  EXPECT_GT(facts.memory.free(), 0);
}

// Sets a variable for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST(System, TakesRootAndVariablesFromTheProcess) {
  {
    const Variable root("SCRIBED_SYSTEM_ROOT", "/some/tree");
    const Variable other("SCRIBED_TEST_VARIABLE", "a=b");
    const auto system = System::of_this_process();
    EXPECT_EQ(system.root, "/some/tree");
    EXPECT_EQ(system.environment.at("SCRIBED_TEST_VARIABLE"), "a=b");
  }
  EXPECT_EQ(System::of_this_process().root, "/");
}

}  // namespace
}  // namespace platform
