#if defined(__APPLE__)
#include <sys/sysctl.h>
#else
#include <sys/auxv.h>
#endif

#include <cstddef>

#include "platform/cpu_flags.h"

namespace platform {
namespace {

#if defined(__APPLE__)

bool says(const char* name) {
  int value = 0;
  std::size_t size = sizeof(value);
  return ::sysctlbyname(name, &value, &size, nullptr, 0) == 0 && value != 0;
}

void read_flags(CpuFacts& facts) {
  facts.neon = true;
  facts.neon_dotprod = says("hw.optional.arm.FEAT_DotProd");
  facts.neon_i8mm = says("hw.optional.arm.FEAT_I8MM") && says("hw.optional.arm.FEAT_BF16");
}

#else

void read_flags(CpuFacts& facts) {
  constexpr unsigned long asimd = 1UL << 1;  // these two of AT_HWCAP
  constexpr unsigned long dot_products = 1UL << 20;
  constexpr unsigned long int8_matrices = 1UL << 13;  // and these of AT_HWCAP2
  constexpr unsigned long bfloat16 = 1UL << 14;
  const unsigned long first = ::getauxval(AT_HWCAP);
  const unsigned long second = ::getauxval(AT_HWCAP2);
  facts.neon = (first & asimd) != 0;
  facts.neon_dotprod = (first & dot_products) != 0;
  facts.neon_i8mm = (second & int8_matrices) != 0 && (second & bfloat16) != 0;
}

#endif

}  // namespace

// The flags are those that the kernel hands to each process: under an emulator /proc/cpuinfo is the
// host's.
void correct_flags(CpuFacts& facts) {
  CpuFacts own;
  own.model_name = facts.model_name;
  own.logical_cores = facts.logical_cores;
  own.physical_cores = facts.physical_cores;
  own.flags_known = true;
  read_flags(own);
  facts = own;
}

}  // namespace platform
