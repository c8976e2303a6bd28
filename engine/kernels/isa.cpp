#include "engine/kernels/isa.h"

#include "platform/cpu.h"

namespace engine::kernels {

std::optional<Isa> best_isa(const platform::CpuFacts& cpu) {
  if (!cpu.avx2) return std::nullopt;
  if (!cpu.avx512f) return Isa::avx2;
  if (!cpu.avx512_vnni) return Isa::avx512;
  return cpu.avx512_bf16 ? Isa::avx512_bf16 : Isa::avx512_vnni;
}

const char* name(Isa isa) {
  switch (isa) {
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
    case Isa::avx512_vnni:
      return "avx512_vnni";
    case Isa::avx512_bf16:
      return "avx512_bf16";
  }
  return "unknown";
}

}  // namespace engine::kernels
