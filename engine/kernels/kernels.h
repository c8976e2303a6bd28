#pragma once

#include "engine/kernels/gemm.h"
#include "engine/kernels/isa.h"

namespace engine::kernels {

// The products that are written for one instruction set.
struct Kernels {
  decltype(&gemm_int8_vnni) gemm_int8;
  decltype(&gemm_bfloat16_avx512) gemm_bfloat16;
};

Kernels kernels_for(Isa isa);

}  // namespace engine::kernels
