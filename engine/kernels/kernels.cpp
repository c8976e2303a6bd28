#include "engine/kernels/kernels.h"

namespace engine::kernels {

Kernels kernels_for(Isa isa) {
  switch (isa) {
    case Isa::amx:
      return {gemm_int8_amx,    gemm_bfloat16_amx, gemm_float32_avx512, gemm_int4_vnni,
              refine_int8_vnni, largest_avx512,    find_at_least_avx512};
    case Isa::avx512_bf16:
      return {gemm_int8_vnni,   gemm_bfloat16_avx512, gemm_float32_avx512, gemm_int4_vnni,
              refine_int8_vnni, largest_avx512,       find_at_least_avx512};
    case Isa::avx512_vnni:
      return {gemm_int8_vnni,   gemm_bfloat16_avx2, gemm_float32_avx512, gemm_int4_vnni,
              refine_int8_vnni, largest_avx512,     find_at_least_avx512};
    case Isa::avx512:
      return {gemm_int8_avx2, gemm_bfloat16_avx2, gemm_float32_avx512};
    case Isa::avx_vnni:
      return {gemm_int8_avx_vnni, gemm_bfloat16_avx2, gemm_float32_avx2};
    case Isa::avx2:
      break;
  }
  return {gemm_int8_avx2, gemm_bfloat16_avx2, gemm_float32_avx2};
}

}  // namespace engine::kernels
