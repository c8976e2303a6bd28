#include <sched.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>

#include "platform/cpu_sets.h"
#include "platform/cpu_system.h"

namespace platform {
namespace {

std::string read_file(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Counts the cores that the scheduler lets this process use.
void count_usable(const std::string& cpuinfo, CpuFacts& facts) {
  const auto cpus = usable_cpus();
  if (cpus.empty()) return;
  facts.logical_cores = std::min(facts.logical_cores, static_cast<int>(cpus.size()));
  facts.physical_cores = std::max(1, count_cores(cpuinfo, cpus));
}

}  // namespace

CpuFacts system_cpu() {
  const std::string cpuinfo = read_file("/proc/cpuinfo");
  CpuFacts facts = parse_cpuinfo(cpuinfo);
  count_usable(cpuinfo, facts);
  return facts;
}

// Reads the quotas of both versions of control groups.
int quota_cores() {
  const int newer = parse_cpu_quota(read_file("/sys/fs/cgroup/cpu.max"));
  const int older = parse_cpu_quota(read_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") + ' ' +
                                    read_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us"));
  return std::min(newer, older);
}

std::vector<int> usable_cpus() {
  std::array<cpu_set_t, most_cpus / CPU_SETSIZE> sets{};
  std::vector<int> cpus;
  if (::sched_getaffinity(0, sizeof sets, sets.data()) != 0) return cpus;
  for (int cpu = 0; cpu < most_cpus; ++cpu) {
    if (CPU_ISSET_S(static_cast<std::size_t>(cpu), sizeof sets, sets.data())) cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace platform
