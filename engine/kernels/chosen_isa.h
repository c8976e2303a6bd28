#pragma once

#include <optional>

#include "engine/kernels/isa.h"
#include "engine/kernels/kernels.h"

namespace engine::kernels {

// Returns the instruction set that models are computed with on this CPU: the best one that it has
// and multiplies right with; none where it has not even the first. AMX is the newest and what
// hypervisors know least, so a small product must have the result of AVX-512, and that of arm64's
// products of small matrices the result of NEON. It takes some microseconds.
std::optional<Isa> isa_of_this_cpu();

// Says whether small products of quantized numbers are the same with both, and those of bfloat16
// within what the order of a sum changes.
bool agree(const Kernels& kernels, const Kernels& others);

}  // namespace engine::kernels
