#pragma once

#include "engine/kernels/gemm.h"
#include "engine/kernels/isa.h"
#include "engine/kernels/screen.h"

namespace engine::kernels {

// The products that are written for one instruction set.
struct Kernels {
  decltype(&gemm_int8_vnni) gemm_int8;
  decltype(&gemm_bfloat16_avx512) gemm_bfloat16;
  decltype(&gemm_int4_vnni) gemm_int4 = nullptr;  // nullptr: there is none
  decltype(&refine_int8_vnni) refine_int8 = nullptr;
};

Kernels kernels_for(Isa isa);

}  // namespace engine::kernels
