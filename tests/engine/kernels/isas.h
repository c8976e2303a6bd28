#pragma once

#include <algorithm>
#include <iterator>
#include <vector>

#include "engine/kernels/isa.h"
#include "platform/cpu.h"

namespace engine::kernels {

// The instruction sets that this CPU has, so that a test runs every variant that it can.
inline std::vector<Isa> isas_of_this_cpu() {
  std::vector<Isa> isas;
  const platform::CpuFacts cpu = platform::probe_cpu();
  std::copy_if(own_isas.begin(), own_isas.end(), std::back_inserter(isas),
               [&](Isa isa) { return has(cpu, isa); });
  return isas;
}

}  // namespace engine::kernels
