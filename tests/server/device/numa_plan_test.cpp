#include "server/device/numa_plan.h"

#include <gtest/gtest.h>

#include <map>

namespace server {
namespace {

using platform::Backend;
using platform::NumaNode;
using Names = std::vector<std::string>;

// A machine whose nodes have so many cores each. CPUs are numbered through, without SMT.
platform::Facts machine_of(const std::vector<int>& cores) {
  platform::Facts facts;
  facts.cpu.avx2 = true;
  facts.cpu.physical_cores = 0;
  for (const int count : cores) {
    NumaNode node{.node = static_cast<int>(facts.numa_nodes.size()), .cores = count};
    for (int i = 0; i < count; ++i) node.cpus.push_back(facts.cpu.physical_cores++);
    facts.numa_nodes.push_back(node);
  }
  return facts;
}

std::vector<int> numbers(const std::vector<NumaNode>& nodes) {
  std::vector<int> found;
  for (const auto& node : nodes) found.push_back(node.node);
  return found;
}

DeviceCandidate device(Backend backend, std::optional<int> index = {}) {
  DeviceCandidate candidate;
  candidate.verdict.backend = backend;
  candidate.verdict.index = index;
  return candidate;
}

Names names(const DevicePlan& plan) {
  Names found;
  for (const auto& candidate : plan.candidates) found.push_back(candidate.verdict.device());
  return found;
}

TEST(NodesForWorkers, AreThoseOfComparableSizeWithTheLargestFirst) {
  const std::pair<std::vector<int>, std::vector<int>> cases[] = {
      {{}, {}},
      {{16}, {}},
      {{16, 16}, {0, 1}},
      {{12, 16}, {1, 0}},
      {{8, 16, 16}, {1, 2, 0}},
      {{16, 16, 7}, {0, 1}},
      {{16, 1}, {}},
      {{1, 1}, {0, 1}},
      {{4, 4, 4, 4, 4, 4, 4, 4}, {0, 1, 2, 3, 4, 5, 6, 7}},
  };
  for (const auto& [cores, nodes] : cases) {
    EXPECT_EQ(numbers(nodes_for_workers(machine_of(cores))), nodes)
        << testing::PrintToString(cores);
  }
}

TEST(NodesForWorkers, AreNoneUnderAQuotaOfFewerCores) {
  auto facts = machine_of({16, 16});
  for (const int allowed : {4, 16, 31}) {
    facts.cpu.physical_cores = allowed;
    EXPECT_TRUE(nodes_for_workers(facts).empty()) << allowed;
  }
}

TEST(NodesForWorkers, AreNoneWhereNodesOverlap) {
  auto facts = machine_of({4});
  facts.numa_nodes.push_back(facts.numa_nodes.front());
  facts.numa_nodes.back().node = 1;
  EXPECT_TRUE(nodes_for_workers(facts).empty());
}

TEST(NodesForWorkers, AreNoneWhereEachWorkerWouldHaveWeightsOfItsOwn) {
  auto facts = machine_of({16, 16});
  facts.cpu.avx2 = false;
  EXPECT_TRUE(nodes_for_workers(facts).empty());
}

TEST(SpreadOverNodes, GivesEachNodeItsCpusBehindTheCards) {
  DevicePlan plan{.candidates = {device(Backend::cuda, 0), device(Backend::cpu)},
                  .reason = "the first working GPU"};
  spread_over_nodes(plan, machine_of({1, 2}));
  EXPECT_EQ(names(plan), (Names{"cuda:0", "cpu:1", "cpu:0"}));
  EXPECT_EQ(plan.candidates[1].cpus, (std::vector<int>{1, 2}));
  EXPECT_EQ(plan.candidates[2].cpus, std::vector<int>{0});
  EXPECT_TRUE(plan.candidates[0].cpus.empty());
  EXPECT_EQ(plan.reason, "the first working GPU");
}

TEST(SpreadOverNodes, SaysHowManyWorkersThereMayBe) {
  DevicePlan plan{.candidates = {device(Backend::cpu)}, .reason = "no GPU was found"};
  spread_over_nodes(plan, machine_of({8, 8}));
  EXPECT_EQ(plan.reason, "no GPU was found; up to 2 workers, one on each NUMA node");
}

TEST(SpreadOverNodes, LeavesAMachineOfOneNodeAsItIs) {
  DevicePlan plan{.candidates = {device(Backend::cuda, 0), device(Backend::cpu)}, .reason = "so"};
  spread_over_nodes(plan, machine_of({16}));
  EXPECT_EQ(names(plan), (Names{"cuda:0", "cpu"}));
  EXPECT_TRUE(plan.candidates[1].cpus.empty());
  EXPECT_EQ(plan.reason, "so");
}

TEST(SpreadOverNodes, CountsSharedWeightsOnce) {
  const auto spread_with = [](std::int64_t free_memory) {
    auto cpu = device(Backend::cpu);
    cpu.verdict.need = 100;
    cpu.verdict.need_beside_weights = 30;
    cpu.verdict.free_memory = free_memory;
    DevicePlan plan{.candidates = {device(Backend::cuda, 0), cpu}};
    spread_over_nodes(plan, machine_of({4, 4, 4}));
    return names(plan);
  };
  EXPECT_EQ(spread_with(160), (Names{"cuda:0", "cpu:0", "cpu:1", "cpu:2"}));
  EXPECT_EQ(spread_with(159), (Names{"cuda:0", "cpu"}));
  EXPECT_EQ(spread_with(0).size(), 4u);  // not known
}

TEST(BeginOnIdleNode, PutsTheNodesWithFewestWorkersFirst) {
  DevicePlan plan{.candidates = {device(Backend::cuda, 0), device(Backend::cpu)}};
  spread_over_nodes(plan, machine_of({4, 4, 4, 4}));
  const std::map<std::string, int> workers{{"cpu:0", 2}, {"cpu:1", 1}, {"cpu:3", 1}};
  begin_on_idle_node(plan, [&](const std::string& name) {
    const auto found = workers.find(name);
    return found == workers.end() ? 0 : found->second;
  });
  EXPECT_EQ(names(plan), (Names{"cuda:0", "cpu:2", "cpu:1", "cpu:3", "cpu:0"}));
}

}  // namespace
}  // namespace server
