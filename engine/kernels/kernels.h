#pragma once

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/isa.h"
#include "engine/kernels/top_logits/candidates.h"
#include "engine/kernels/top_logits/preselection.h"

namespace engine::kernels {

// The products that are written for one instruction set.
struct Kernels {
  decltype(&gemm_int8_vnni) gemm_int8;
  decltype(&gemm_bfloat16_avx512) gemm_bfloat16;
  decltype(&gemm_float32_avx512) gemm_float32;
  decltype(&gemm_float16_avx512) gemm_float16;
  // These two pre-select candidates (top_logits/preselection.h), and are null where nothing does.
  decltype(&gemm_int4_vnni) gemm_int4 = nullptr;
  decltype(&refine_int8_vnni) refine_int8 = nullptr;
  decltype(&largest_avx512) largest = nullptr;
  decltype(&find_at_least_avx512) find_at_least = nullptr;
};

// `isa` is one of own_isas.
Kernels kernels_for(Isa isa);

}  // namespace engine::kernels
