#pragma once

#include "platform/cpu.h"

namespace platform {

// Puts right what /proc/cpuinfo says of this CPU's flags: what it has but this process may not use,
// and what another machine has whose file it is. It is in the source of this architecture.
void correct_flags(CpuFacts& facts);

}  // namespace platform
