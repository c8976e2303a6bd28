#include <sched.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "platform/cpu_system.h"

namespace platform {
namespace {

std::string read_file(const char* path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Returns the cores that the scheduler lets this process use.
int schedulable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

// Reads the quotas of both versions of control groups.
int quota_cores() {
  const int newer = parse_cpu_quota(read_file("/sys/fs/cgroup/cpu.max"));
  const int older = parse_cpu_quota(read_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") + ' ' +
                                    read_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us"));
  return std::min(newer, older);
}

}  // namespace

CpuFacts system_cpu() {
  return parse_cpuinfo(read_file("/proc/cpuinfo"));
}

int usable_cores() {
  return std::min(schedulable_cores(), quota_cores());
}

}  // namespace platform
