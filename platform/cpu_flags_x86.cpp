#include <sys/syscall.h>
#include <unistd.h>

#include "platform/cpu_flags.h"

namespace platform {
namespace {

// Asks for the registers of AMX, which a process has only then. It can be asked again.
bool gets_amx() {
#if defined(__linux__)
  constexpr long request_permission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long tile_data = 18;               // XFEATURE_XTILEDATA
  return ::syscall(SYS_arch_prctl, request_permission, tile_data) == 0;
#else
  return false;
#endif
}

}  // namespace

void correct_flags(CpuFacts& facts) {
  facts.amx = facts.amx && gets_amx();
}

}  // namespace platform
