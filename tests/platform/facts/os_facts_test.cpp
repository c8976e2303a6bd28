#include "platform/facts/os_facts.h"

#include <gtest/gtest.h>

#include "tests/platform/facts/fake_tree.h"

namespace platform {
namespace {

using Environment = std::map<std::string, std::string>;

TEST(OsFacts, NameIsThePrettyOne) {
  EXPECT_EQ(parse_os_release("NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"),
            "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(parse_os_release("PRETTY_NAME='Alpine Linux v3.20'"), "Alpine Linux v3.20");
  EXPECT_EQ(parse_os_release("PRETTY_NAME=Void\r\n"), "Void");
  EXPECT_EQ(parse_os_release("PRETTY_NAME=\""), "\"");
  EXPECT_EQ(parse_os_release("NAME=x"), "");
}

TEST(OsFacts, GlibcVersionIsInItsBanner) {
  EXPECT_EQ(parse_glibc_banner(std::string("\x7f"
                                           "ELF\0\1GNU C Library (Debian GLIBC 2.36-9+deb12u8) "
                                           "stable release version 2.36.\nCopyright",
                                           86)),
            "2.36");
  EXPECT_EQ(parse_glibc_banner("GNU C Library stable release version 2.17, by Roland"), "2.17");
  EXPECT_EQ(parse_glibc_banner("musl libc"), "");
  EXPECT_EQ(parse_glibc_banner("stable release version "), "");
}

TEST(OsFacts, ATreeTellsOfItsOwnMachine) {
  FakeTree tree;
  tree.file("/usr/lib/os-release", "PRETTY_NAME=\"Rocky Linux 8.9\"\n")
      .file("/proc/sys/kernel/osrelease", "4.18.0-513.el8\n")
      .file("/proc/sys/kernel/arch", "aarch64\n")
      .file("/lib64/libc.so.6", "GNU C Library stable release version 2.28.");
  const auto os = read_os(FileReader(tree.root()), {});
  EXPECT_EQ(os.name, "Rocky Linux 8.9");
  EXPECT_EQ(os.kernel, "4.18.0-513.el8");
  EXPECT_EQ(os.architecture, "arm64");
  EXPECT_EQ(os.glibc, "2.28");
  EXPECT_EQ(os.container, "");
  EXPECT_FALSE(os.wsl);
  EXPECT_TRUE(os.refused_calls.empty()) << "another machine cannot be asked";
}

TEST(OsFacts, AnEmptyTreeKnowsNoKernelOfThisMachine) {
  FakeTree tree;
  const auto os = read_os(FileReader(tree.root()), {});
  EXPECT_EQ(os.name, "");
  EXPECT_EQ(os.kernel, "");
  EXPECT_EQ(os.architecture, "");
  EXPECT_EQ(os.glibc, "");
}

struct ContainerCase {
  const char* file;
  const char* text;
  Environment environment;
  const char* container;
};

TEST(OsFacts, RecognisesContainers) {
  const std::vector<ContainerCase> cases{
      {"/etc/os-release", "", {}, ""},
      {"/.dockerenv", "", {}, "docker"},
      {"/.dockerenv", "", {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}}, "kubernetes"},
      {"/run/.containerenv", "engine=\"podman-4.3.1\"\n", {{"container", "oci"}}, "podman"},
      {"/etc/os-release", "", {{"container", "lxc"}}, "lxc"},
      {"/etc/os-release", "", {{"container", "systemd-nspawn"}}, "container"},
      {"/etc/os-release", "", {{"container", ""}}, ""},
      {"/proc/self/cgroup", "0::/kubepods.slice/kubepods-pod1.slice\n", {}, "kubernetes"},
      {"/proc/self/cgroup", "4:memory:/docker/0123abcd\n", {}, "docker"},
      {"/proc/self/cgroup", "0::/machine.slice/libpod-01.scope\n", {}, "podman"},
      {"/proc/self/cgroup", "4:memory:/lxc/box\n", {}, "lxc"},
      {"/proc/self/cgroup", "0::/user.slice/user-1000.slice\n", {}, ""},
      {"/run/host/container-manager", "systemd-nspawn", {}, "container"},
  };
  for (const auto& one : cases) {
    FakeTree tree;
    tree.file(one.file, one.text);
    EXPECT_EQ(read_container(FileReader(tree.root()), one.environment), one.container)
        << one.file << " " << one.text;
  }
}

TEST(OsFacts, RecognisesWslByItsDeviceOrItsKernel) {
  FakeTree device;
  device.file("/dev/dxg");
  EXPECT_TRUE(read_os(FileReader(device.root()), {}).wsl);
  FakeTree kernel;
  kernel.file("/proc/sys/kernel/osrelease", "5.15.153.1-microsoft-standard-WSL2\n");
  EXPECT_TRUE(read_os(FileReader(kernel.root()), {}).wsl);
}

}  // namespace
}  // namespace platform
