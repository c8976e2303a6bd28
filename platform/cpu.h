#pragma once

#include <string>

namespace platform {

// What this machine's CPU can do, as far as the engine's kernels differ by it.
struct CpuFacts {
  std::string model_name;
  int logical_cores = 1;     // that this process may run on (affinity and cgroup quota counted)
  int physical_cores = 1;    // the same without SMT siblings
  bool flags_known = false;  // those below were read
  bool avx2 = false;
  bool avx512f = false;
  bool avx512_vnni = false;
  bool avx512_bf16 = false;
  bool amx_bf16 = false;
  bool amx_int8 = false;

  // The best instruction set that matters, in one word: "amx_bf16", "avx512_bf16", "avx2", …
  std::string isa() const;
  bool fast_bfloat16() const { return amx_bf16 || avx512_bf16; }
  bool fast_int8() const { return avx512_vnni; }
};

// Reads /proc/cpuinfo, the affinity mask and the cgroup CPU quota.
CpuFacts probe_cpu();

// The same from given texts, for tests.
CpuFacts parse_cpuinfo(const std::string& cpuinfo);

// Whole cores that a quota allows, at least 1, from "<quota> <period>" in microseconds; a large
// number where it is "max 100000" or "-1 100000".
int parse_cpu_quota(const std::string& text);

}  // namespace platform
