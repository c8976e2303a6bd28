#include <sys/sysctl.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "platform/cpu_system.h"

namespace platform {
namespace {

int count(const char* name) {
  int value = 0;
  std::size_t size = sizeof(value);
  return ::sysctlbyname(name, &value, &size, nullptr, 0) == 0 ? std::max(1, value) : 1;
}

}  // namespace

CpuFacts system_cpu() {
  CpuFacts facts;
  std::array<char, 256> name{};
  std::size_t size = name.size() - 1;
  if (::sysctlbyname("machdep.cpu.brand_string", name.data(), &size, nullptr, 0) == 0) {
    facts.model_name = name.data();
  }
  facts.logical_cores = count("hw.logicalcpu");
  facts.physical_cores = count("hw.physicalcpu");
  return facts;
}

// A process can neither be kept to some cores nor be given a quota of them.
int quota_cores() {
  return count("hw.activecpu");
}

std::vector<int> usable_cpus() {
  return {};
}

}  // namespace platform
