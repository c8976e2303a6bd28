#include "platform/facts/numa_nodes.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <thread>
#include <vector>

#include "platform/cpu_system.h"
#include "tests/platform/facts/fake_tree.h"

namespace platform {
namespace {

const std::string nodes_folder = "/sys/devices/system/node/";

// Cores with two threads each, whose numbers are as far apart as there are cores.
std::string cpuinfo_of(int cores) {
  std::string text;
  for (int cpu = 0; cpu < 2 * cores; ++cpu) {
    text += "processor : " + std::to_string(cpu) +
            "\nphysical id : 0\ncore id : " + std::to_string(cpu % cores) + "\n\n";
  }
  return text;
}

TEST(NumaNodes, AreReadWithTheirCpusAndCores) {
  struct Case {
    const char* name;
    std::map<std::string, std::string> lists;  // by the name in the folder
    std::vector<int> nodes;
    std::vector<int> cores;
  };
  const Case cases[] = {
      {"none", {}, {}, {}},
      {"one", {{"node0", "0-7\n"}}, {0}, {4}},
      {"two", {{"node0", "0-1,4-5\n"}, {"node1", "2-3,6-7\n"}}, {0, 1}, {2, 2}},
      {"unequal", {{"node0", "0,4\n"}, {"node1", "1-3\n"}}, {0, 1}, {1, 3}},
      {"memory alone", {{"node0", "0-7\n"}, {"node1", "\n"}}, {0}, {4}},
      {"many", {{"node2", "0\n"}, {"node10", "1\n"}}, {2, 10}, {1, 1}},
      {"no nodes", {{"nodes", "0\n"}, {"node", "1\n"}, {"node-1", "2\n"}}, {}, {}},
  };
  for (const auto& machine : cases) {
    FakeTree tree;
    tree.file("/proc/cpuinfo", cpuinfo_of(4)).file(nodes_folder + "online", "0-1\n");
    for (const auto& [name, list] : machine.lists) {
      tree.file(nodes_folder + name + "/cpulist", list);
    }
    std::vector<int> nodes, cores;
    for (const auto& node : read_numa_nodes(FileReader(tree.root()))) {
      nodes.push_back(node.node);
      cores.push_back(node.cores);
    }
    EXPECT_EQ(nodes, machine.nodes) << machine.name;
    EXPECT_EQ(cores, machine.cores) << machine.name;
  }
}

// A thread's mask ends with it.
TEST(NumaNodes, OfThisMachineHaveTheCpusOfTheMask) {
  std::thread([] {
    const int cpu = usable_cpus().back();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    for (const auto& node : read_facts(System{}, {}).numa_nodes) {
      EXPECT_EQ(node.cpus, std::vector{cpu});
      EXPECT_EQ(node.cores, 1);
    }
  }).join();
}

}  // namespace
}  // namespace platform
