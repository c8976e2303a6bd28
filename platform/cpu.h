#pragma once

#include <string>
#include <string_view>

#include "platform/error.h"

namespace platform {

// The abilities of this machine's CPU, as far as the engine's kernels depend on them.
struct CpuFacts {
  std::string model_name;
  int logical_cores = 1;     // usable by this process: affinity and cgroup quota
  int physical_cores = 1;    // the cores that have those, each counted once
  bool flags_known = false;  // the flags below were read
  bool avx2 = false;
  bool avx_vnni = false;
  bool avx512f = false;
  bool avx512_vnni = false;
  bool avx512_bf16 = false;
  bool amx = false;           // for int8 and for bfloat16
  bool neon = false;          // with products and sums of float32 in one, as on every arm64
  bool neon_dotprod = false;  // FEAT_DotProd
  bool neon_i8mm = false;     // FEAT_I8MM and FEAT_BF16: CPUs with one have the other

  // Returns the level of this CPU, the best relevant instruction set: "amx", "avx512_bf16", "avx2",
  // "neon_dotprod", …; "baseline" where it has none of them.
  std::string isa() const;
  bool fast_bfloat16() const { return amx || avx512_bf16 || neon_i8mm; }
  bool fast_int8() const { return avx512_vnni || avx_vnni || neon_dotprod; }
  // Says whether products in int8 are written for this CPU.
  bool has_int8() const { return avx2 || neon; }
};

// Reads /proc/cpuinfo, on arm64 what the kernel says of the CPU instead, the affinity mask and the
// cgroup CPU quota. A CPU has AMX only where the kernel gives its registers to this process, which
// is asked for here, for all threads. Where $SCRIBED_CPU names a level, the CPU has no more than
// that, so that tests and measurements can be made for lesser CPUs. Throws std::runtime_error where
// this is not a level of the CPU; programs ask check_cpu_level() first.
CpuFacts probe_cpu();

// Says what is wrong with $SCRIBED_CPU.
Result<void> check_cpu_level();

// Returns the facts of a CPU that has nothing beyond a level: avx2, avx_vnni, avx512, avx512_vnni,
// avx512_bf16, amx, neon, neon_dotprod or neon_i8mm. An empty level changes nothing. Errors: an
// unknown level, one that the CPU has not.
Result<CpuFacts> limited_to(CpuFacts facts, std::string_view level);

// Reads a given text instead, for tests.
CpuFacts parse_cpuinfo(const std::string& cpuinfo);

// Returns the whole cores that a quota allows, at least 1, from "<quota> <period>" in microseconds;
// a large number for "max 100000" or "-1 100000".
int parse_cpu_quota(const std::string& text);

}  // namespace platform
