#include "server/device/numa_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace server {
namespace {

bool is_cpu(const DeviceCandidate& candidate) {
  return candidate.verdict.backend == platform::Backend::cpu;
}

// Returns whether memory does for so many workers, which share the weights. A need or a memory that
// is not known is no obstacle.
bool has_room(const platform::Verdict& verdict, std::size_t workers) {
  if (verdict.need == 0 || verdict.free_memory == 0) return true;
  const auto further = static_cast<std::int64_t>(workers - 1);
  return verdict.need + further * verdict.need_beside_weights <= verdict.free_memory;
}

DeviceCandidate on_node(DeviceCandidate candidate, const platform::NumaNode& node) {
  candidate.verdict.index = node.node;
  candidate.cpus = node.cpus;
  return candidate;
}

}  // namespace

std::vector<platform::NumaNode> nodes_for_workers(const platform::Facts& facts) {
  auto nodes = facts.numa_nodes;
  std::ranges::stable_sort(nodes, std::greater{}, &platform::NumaNode::cores);
  std::erase_if(nodes, [most = nodes.empty() ? 0 : nodes.front().cores](const auto& node) {
    return 2 * node.cores < most;
  });
  const int cores = std::accumulate(nodes.begin(), nodes.end(), 0,
                                    [](int sum, const auto& node) { return sum + node.cores; });
  const bool one_is_better =
      nodes.size() < 2 || cores > facts.cpu.physical_cores || !facts.cpu.has_int8();
  return one_is_better ? std::vector<platform::NumaNode>{} : nodes;
}

void spread_over_nodes(DevicePlan& plan, const platform::Facts& facts) {
  const auto nodes = nodes_for_workers(facts);
  if (nodes.empty()) return;
  const bool lacks_memory = std::ranges::any_of(plan.candidates, [&](const auto& candidate) {
    return is_cpu(candidate) && !has_room(candidate.verdict, nodes.size());
  });
  if (lacks_memory) return;
  std::vector<DeviceCandidate> spread;
  for (const auto& candidate : plan.candidates) {
    if (!is_cpu(candidate)) spread.push_back(candidate);
    for (const auto& node : nodes) {
      if (is_cpu(candidate)) spread.push_back(on_node(candidate, node));
    }
  }
  if (is_cpu(spread.front())) {
    plan.reason += fmt::format("; up to {} workers, one on each NUMA node", nodes.size());
  }
  plan.candidates = std::move(spread);
}

void begin_on_idle_node(DevicePlan& plan,
                        const std::function<int(const std::string&)>& workers_on) {
  const auto nodes = std::ranges::find_if(plan.candidates, is_cpu);
  std::stable_sort(nodes, plan.candidates.end(), [&](const auto& a, const auto& b) {
    return workers_on(a.verdict.device()) < workers_on(b.verdict.device());
  });
}

}  // namespace server
