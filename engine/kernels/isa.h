#pragma once

#include <array>
#include <optional>

namespace platform {
struct CpuFacts;
}

namespace engine::kernels {

// The instruction sets that kernels are written for. Each includes those before it of its
// architecture, but for AVX-VNNI: all CPUs with AVX512-BF16 have VNNI too, and all with AMX have
// both.
enum class Isa {
  avx2,         // with FMA and F16C; the floor of x86_64
  avx_vnni,     // that of CPUs without AVX-512
  avx512,       // F
  avx512_vnni,  // F, BW, VL, DQ, VNNI
  avx512_bf16,  // and BF16
  amx,          // and AMX for int8 and bfloat16

  neon,          // every arm64 CPU has it
  neon_dotprod,  // and dot products of bytes
  neon_i8mm,     // and products of small matrices of bytes and of bfloat16
};

// Those of the architecture that this is compiled for: no others have kernels here.
#if defined(__aarch64__)
inline constexpr std::array own_isas{Isa::neon, Isa::neon_dotprod, Isa::neon_i8mm};
#else
inline constexpr std::array own_isas{Isa::avx2,        Isa::avx_vnni,    Isa::avx512,
                                     Isa::avx512_vnni, Isa::avx512_bf16, Isa::amx};
#endif

bool has(const platform::CpuFacts& cpu, Isa isa);

// Returns the best one that this CPU has and this is compiled for; none where it has not even the
// first.
std::optional<Isa> best_isa(const platform::CpuFacts& cpu);

// Returns "avx2", "avx512", …
const char* name(Isa isa);

}  // namespace engine::kernels
