#include "platform/facts/numa_nodes.h"

#include <algorithm>
#include <utility>

#include "platform/cpu_sets.h"
#include "platform/cpu_system.h"
#include "platform/facts/text.h"

namespace platform {
namespace {

constexpr const char* folder = "/sys/devices/system/node/";
constexpr std::string_view prefix = "node";
constexpr std::size_t most_list_bytes = std::size_t{64} << 10;

// Returns the number of "node12"; nothing for the other files of the folder.
std::optional<int> node_number(std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  const auto number = parse_int(name.substr(prefix.size()));
  if (!number || !std::in_range<int>(*number) || *number < 0) return std::nullopt;
  return static_cast<int>(*number);
}

}  // namespace

std::vector<NumaNode> read_numa_nodes(const FileReader& files) {
  const auto cpuinfo = files.text("/proc/cpuinfo", std::size_t{8} << 20).value_or("");
  const auto usable = usable_cpus();
  std::vector<NumaNode> nodes;
  for (const auto& name : files.names(folder)) {
    const auto number = node_number(name);
    if (!number) continue;
    const auto list = files.text(folder + name + "/cpulist", most_list_bytes).value_or("");
    NumaNode node{.node = *number, .cpus = parse_cpu_list(list)};
    if (files.this_machine()) {
      std::erase_if(node.cpus, [&](int cpu) { return !std::ranges::binary_search(usable, cpu); });
    }
    node.cores = count_cores(cpuinfo, node.cpus);
    if (node.cores > 0) nodes.push_back(std::move(node));
  }
  return nodes;
}

}  // namespace platform
