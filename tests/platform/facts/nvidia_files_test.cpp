#include "platform/facts/nvidia_files.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/platform/facts/fake_tree.h"

namespace platform {
namespace {

NvidiaFacts facts_of(const FakeTree& tree) {
  const FileReader files(tree.root());
  return read_nvidia(files, LibraryFinder(files, {}));
}

std::vector<std::string> paths(const std::vector<DeviceNode>& nodes) {
  std::vector<std::string> paths;
  for (const auto& node : nodes) paths.push_back(node.path);
  return paths;
}

struct VersionCase {
  const char* text;
  const char* version;
  bool open;
};

TEST(NvidiaFiles, ReadsTheVersionOfEveryKindOfModule) {
  const std::vector<VersionCase> cases{
      {"NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 01:44:30 UTC 2024\n"
       "GCC version:  gcc version 12.2.0 (Debian 12.2.0-14)\n",
       "550.54.14", false},
      {"NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  575.51.03  Release Build  "
       "(dvs-builder@U22-I3-AE18-23-3)  Fri Apr 11 09:17:30 PDT 2025\n"
       "GCC version:  gcc version 13.3.0 (Ubuntu 13.3.0-6ubuntu2~24.04)\n",
       "575.51.03", true},
      {"NVRM version: NVIDIA UNIX Open Kernel Module for aarch64  540.4.0  Release Build\n",
       "540.4.0", true},
      {"NVRM version: NVIDIA UNIX x86_64 Kernel Module  390.157  Wed Oct 12 09:19:07 UTC 2022",
       "390.157", false},
  };
  for (const auto& one : cases) {
    const auto module = parse_nvrm_version(one.text);
    ASSERT_TRUE(module) << one.text;
    EXPECT_EQ(module->version, one.version);
    EXPECT_EQ(module->open, one.open) << one.text;
  }
}

TEST(NvidiaFiles, OtherTextHasNoVersion) {
  for (const char* text :
       {"", "GCC version: gcc version 12.2.0\n", "NVRM version: NVIDIA UNIX x86_64  550.54.14\n",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  of 2024\n",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  .5 5. 2024\n"}) {
    EXPECT_FALSE(parse_nvrm_version(text)) << text;
  }
}

TEST(NvidiaFiles, TheModulesOwnFileIsTheSecondSource) {
  FakeTree tree;
  tree.file("/sys/module/nvidia/version", "535.183.01\n");
  auto nvidia = facts_of(tree);
  EXPECT_EQ(nvidia.module_version, "535.183.01");
  EXPECT_EQ(nvidia.module_read_from, "/sys/module/nvidia/version");
  tree.file("/proc/driver/nvidia/version",
            "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build\n");
  nvidia = facts_of(tree);
  EXPECT_EQ(nvidia.module_version, "580.65.06");
  EXPECT_EQ(nvidia.module_read_from, "/proc/driver/nvidia/version");
  EXPECT_TRUE(nvidia.open_module);
}

TEST(NvidiaFiles, NothingIsThereWithoutACard) {
  FakeTree tree;
  const auto nvidia = facts_of(tree);
  EXPECT_EQ(nvidia.module_version, "");
  EXPECT_EQ(nvidia.module_read_from, "");
  EXPECT_FALSE(nvidia.nouveau);
  EXPECT_EQ(paths(nvidia.nodes),
            (std::vector<std::string>{"/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia0"}));
  for (const auto& node : nvidia.nodes) EXPECT_FALSE(node.exists);
  EXPECT_TRUE(nvidia.libraries.empty());
}

TEST(NvidiaFiles, SeesNouveau) {
  FakeTree tree;
  tree.folder("/sys/module/nouveau");
  EXPECT_TRUE(facts_of(tree).nouveau);
}

TEST(NvidiaFiles, NodesTellWhetherTheyCanBeOpened) {
  FakeTree tree;
  tree.file("/dev/nvidiactl")
      .closed_file("/dev/nvidia-uvm")
      .file("/dev/nvidia-uvm-tools")
      .file("/dev/nvidia10")
      .closed_file("/dev/nvidia3")
      .file("/dev/nvidia-caps/nvidia-cap1");
  const auto nodes = facts_of(tree).nodes;
  ASSERT_EQ(paths(nodes), (std::vector<std::string>{"/dev/nvidiactl", "/dev/nvidia-uvm",
                                                    "/dev/nvidia3", "/dev/nvidia10"}));
  EXPECT_EQ(nodes[0].open_error, 0);
  EXPECT_EQ(nodes[1].open_error, EACCES);
  EXPECT_EQ(nodes[2].open_error, EACCES);
  EXPECT_EQ(nodes[3].open_error, 0);
}

TEST(NvidiaFiles, WslHasADeviceOfItsOwn) {
  FakeTree tree;
  tree.file("/dev/dxg")
      .file("/usr/lib/wsl/lib/libcuda.so.1.1")
      .link("/usr/lib/wsl/lib/libcuda.so.1", "libcuda.so.1.1");
  const auto nvidia = facts_of(tree);
  EXPECT_EQ(nvidia.nodes.at(0).path, "/dev/dxg");
  EXPECT_TRUE(nvidia.nodes.at(0).exists);
  ASSERT_EQ(nvidia.libraries.size(), 1U);
  EXPECT_EQ(nvidia.libraries[0].target, "/usr/lib/wsl/lib/libcuda.so.1.1");
  EXPECT_EQ(nvidia.libraries[0].version, "");  // 1.1 is no driver
}

TEST(NvidiaFiles, LibrariesBearTheDriversVersion) {
  FakeTree tree;
  const std::string folder = "/usr/lib/x86_64-linux-gnu/";
  tree.file(folder + "libcuda.so.550.54.14")
      .link(folder + "libcuda.so.1", "libcuda.so.550.54.14")
      .file(folder + "libnvidia-ml.so.550.54.14")
      .link(folder + "libnvidia-ml.so.1", "libnvidia-ml.so.550.54.14");
  const auto libraries = facts_of(tree).libraries;
  ASSERT_EQ(libraries.size(), 2U);
  EXPECT_EQ(libraries[0].soname, "libcuda.so.1");
  EXPECT_EQ(libraries[0].version, "550.54.14");
  EXPECT_EQ(libraries[1].soname, "libnvidia-ml.so.1");
}

}  // namespace
}  // namespace platform
