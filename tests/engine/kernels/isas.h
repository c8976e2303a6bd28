#pragma once

#include <optional>
#include <vector>

#include "engine/kernels/isa.h"
#include "platform/cpu.h"

namespace engine::kernels {

// The instruction sets that this CPU has, so that a test runs every variant that it can.
inline std::vector<Isa> isas_of_this_cpu() {
  std::vector<Isa> isas;
  const std::optional<Isa> best = best_isa(platform::probe_cpu());
  for (const Isa isa : {Isa::avx2, Isa::avx512, Isa::avx512_vnni, Isa::avx512_bf16}) {
    if (best && isa <= *best) isas.push_back(isa);
  }
  return isas;
}

}  // namespace engine::kernels
