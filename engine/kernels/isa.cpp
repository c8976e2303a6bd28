#include "engine/kernels/isa.h"

#include <algorithm>

#include "platform/cpu.h"

namespace engine::kernels {

bool has(const platform::CpuFacts& cpu, Isa isa) {
  switch (isa) {
    case Isa::avx2:
      return cpu.avx2;
    case Isa::avx_vnni:
      return cpu.avx2 && cpu.avx_vnni;
    case Isa::avx512:
      return cpu.avx2 && cpu.avx512f;
    case Isa::avx512_vnni:
      return has(cpu, Isa::avx512) && cpu.avx512_vnni;
    case Isa::avx512_bf16:
      return has(cpu, Isa::avx512_vnni) && cpu.avx512_bf16;
    case Isa::amx:
      return has(cpu, Isa::avx512_bf16) && cpu.amx;
    case Isa::neon:
      return cpu.neon;
    case Isa::neon_dotprod:
      return cpu.neon && cpu.neon_dotprod;
    case Isa::neon_i8mm:
      return has(cpu, Isa::neon_dotprod) && cpu.neon_i8mm;
  }
  return false;
}

std::optional<Isa> best_isa(const platform::CpuFacts& cpu) {
  const auto best =
      std::find_if(own_isas.rbegin(), own_isas.rend(), [&](Isa isa) { return has(cpu, isa); });
  return best == own_isas.rend() ? std::nullopt : std::optional(*best);
}

const char* name(Isa isa) {
  switch (isa) {
    case Isa::avx2:
      return "avx2";
    case Isa::avx_vnni:
      return "avx_vnni";
    case Isa::avx512:
      return "avx512";
    case Isa::avx512_vnni:
      return "avx512_vnni";
    case Isa::avx512_bf16:
      return "avx512_bf16";
    case Isa::amx:
      return "amx";
    case Isa::neon:
      return "neon";
    case Isa::neon_dotprod:
      return "neon_dotprod";
    case Isa::neon_i8mm:
      return "neon_i8mm";
  }
  return "unknown";
}

}  // namespace engine::kernels
