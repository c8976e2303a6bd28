#include "platform/facts/memory_facts.h"

#include <gtest/gtest.h>

#include "tests/platform/facts/fake_tree.h"

namespace platform {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;
constexpr char meminfo[] =
    "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\n"
    "Buffers:           12345 kB\nCached:          4194304 kB\n";

std::string bytes(std::int64_t gibs) {
  return std::to_string(gibs * gib) + "\n";
}

TEST(MemoryFacts, ReadsWhatIsAvailable) {
  const auto memory = parse_meminfo(meminfo);
  EXPECT_EQ(memory.total, 16 * gib);
  EXPECT_EQ(memory.available, 8 * gib);
  EXPECT_EQ(memory.free(), 8 * gib);
}

TEST(MemoryFacts, OldKernelsAreEstimatedByTheirCache) {
  const auto memory =
      parse_meminfo("MemTotal: 16777216 kB\nMemFree: 1048576 kB\nCached: 4194304 kB\n");
  EXPECT_EQ(memory.available, 5 * gib);
}

TEST(MemoryFacts, NonsenseIsNoMemory) {
  EXPECT_EQ(parse_meminfo("MemTotal: lots kB\nMemFree:\n").total, 0);
  const auto huge = parse_meminfo("MemTotal: 9223372036854775807 kB\nMemAvailable: -5 kB");
  EXPECT_EQ(huge.total, std::int64_t{1} << 60);
  EXPECT_EQ(huge.available, 0);
}

TEST(MemoryFacts, FreeIsTheLesserOfMachineAndGroup) {
  MemoryFacts memory{.total = 16, .available = 8};
  memory.limit = 10;
  EXPECT_EQ(memory.free(), 8);
  memory.in_use = 6;
  EXPECT_EQ(memory.free(), 4);
  memory.in_use = 12;  // more than the limit, which was lowered
  EXPECT_EQ(memory.free(), 0);
}

TEST(MemoryGroup, TheGroupOfVersionOneGoesFirst) {
  const auto both = parse_memory_group("9:cpu,memory:/docker/ab\n1:cpu:/x\n0::/y\n");
  EXPECT_TRUE(both.version_1);
  EXPECT_EQ(both.path, "/docker/ab");
  const auto unified = parse_memory_group("1:name=systemd:/z\n0::/user.slice/a:b\n");
  EXPECT_FALSE(unified.version_1);
  EXPECT_EQ(unified.path, "/user.slice/a:b");
  EXPECT_EQ(parse_memory_group("garbage").path, "");
}

TEST(MemoryFacts, LowestLimitOnTheWayUpCounts) {
  FakeTree tree;
  tree.file("/proc/meminfo", meminfo)
      .file("/proc/self/cgroup", "0::/pod/mid/box\n")
      .file("/sys/fs/cgroup/pod/memory.max", bytes(4))
      .file("/sys/fs/cgroup/pod/memory.current", bytes(3))
      .file("/sys/fs/cgroup/pod/memory.stat",
            "anon 1\ninactive_file " + bytes(1) + "active_file 5\n")
      .file("/sys/fs/cgroup/pod/mid/memory.max", "max\n")
      .file("/sys/fs/cgroup/pod/mid/box/memory.max", bytes(6))
      .file("/sys/fs/cgroup/pod/mid/box/memory.current", bytes(1));
  const auto memory = read_memory(FileReader(tree.root()));
  EXPECT_EQ(memory.limit, 4 * gib);
  EXPECT_EQ(memory.in_use, 2 * gib);  // page cache left out
  EXPECT_EQ(memory.free(), 2 * gib);
}

TEST(MemoryFacts, InnerLimitWinsWhereItIsLower) {
  FakeTree tree;
  tree.file("/proc/meminfo", meminfo)
      .file("/proc/self/cgroup", "0::/pod/box\n")
      .file("/sys/fs/cgroup/pod/memory.max", bytes(6))
      .file("/sys/fs/cgroup/pod/memory.current", bytes(5))
      .file("/sys/fs/cgroup/pod/box/memory.max", bytes(2))
      .file("/sys/fs/cgroup/pod/box/memory.current", bytes(1));
  const auto memory = read_memory(FileReader(tree.root()));
  EXPECT_EQ(memory.limit, 2 * gib);
  EXPECT_EQ(memory.in_use, 1 * gib);
}

// The outer group's other children use the same memory.
TEST(MemoryFacts, OfEqualLimitsTheOuterCounts) {
  FakeTree tree;
  tree.file("/proc/meminfo", meminfo)
      .file("/proc/self/cgroup", "0::/pod/box\n")
      .file("/sys/fs/cgroup/pod/memory.max", bytes(4))
      .file("/sys/fs/cgroup/pod/memory.current", bytes(3))
      .file("/sys/fs/cgroup/pod/box/memory.max", bytes(4))
      .file("/sys/fs/cgroup/pod/box/memory.current", bytes(1));
  EXPECT_EQ(read_memory(FileReader(tree.root())).in_use, 3 * gib);
}

// In a container the path is the host's, and the mount shows nothing but its own group.
TEST(MemoryFacts, ContainersSeeTheirGroupAsTheMount) {
  FakeTree tree;
  tree.file("/proc/meminfo", meminfo)
      .file("/proc/self/cgroup", "4:memory:/docker/0123\n0::/\n")
      .file("/sys/fs/cgroup/memory/memory.limit_in_bytes", bytes(4))
      .file("/sys/fs/cgroup/memory/memory.usage_in_bytes", bytes(2))
      .file("/sys/fs/cgroup/memory/memory.stat",
            "inactive_file 7\ntotal_inactive_file " + bytes(1));
  const auto memory = read_memory(FileReader(tree.root()));
  EXPECT_EQ(memory.limit, 4 * gib);
  EXPECT_EQ(memory.in_use, 1 * gib);
}

TEST(MemoryFacts, AHybridMountHasVersionTwoBeside) {
  FakeTree tree;
  tree.file("/proc/meminfo", meminfo)
      .file("/proc/self/cgroup", "0::/box\n")
      .file("/sys/fs/cgroup/unified/box/memory.max", bytes(3));
  const auto memory = read_memory(FileReader(tree.root()));
  EXPECT_EQ(memory.limit, 3 * gib);
  EXPECT_EQ(memory.in_use, std::nullopt);
}

TEST(MemoryFacts, ALimitAboveTheMachineIsNone) {
  FakeTree tree;
  tree.file("/proc/meminfo", meminfo)
      .file("/proc/self/cgroup", "4:memory:/\n")
      .file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(read_memory(FileReader(tree.root())).limit, std::nullopt);
}

}  // namespace
}  // namespace platform
