#pragma once

#include <optional>

namespace platform {
struct CpuFacts;
}

namespace engine::kernels {

// The instruction sets that kernels are written for. Each includes those before it: all CPUs with
// AVX512-BF16 have VNNI too.
enum class Isa {
  avx2,         // and FMA; the floor
  avx512,       // F
  avx512_vnni,  // F, BW, VL, DQ, VNNI
  avx512_bf16,  // and BF16
};

// Returns the best one that this CPU has; none where it has not even AVX2.
std::optional<Isa> best_isa(const platform::CpuFacts& cpu);

// Returns "avx2", "avx512", …
const char* name(Isa isa);

}  // namespace engine::kernels
