#include "engine/kernels/attention/attention_tile.h"
#include "engine/kernels/decoder_attention/decoder_attention_float32.h"
#include "engine/kernels/kernels.h"

namespace engine::kernels {

Kernels kernels_for(Isa isa) {
  switch (isa) {
    case Isa::neon_i8mm:
      return {gemm_int8_neon_i8mm, gemm_bfloat16_neon_bf16, gemm_float32_neon,
              gemm_float16_neon,   gemm_int4_neon_dotprod,  refine_int8_neon_dotprod,
              largest_neon,        find_at_least_neon};
    case Isa::neon_dotprod:
      return {gemm_int8_neon_dotprod, gemm_bfloat16_neon,     gemm_float32_neon,
              gemm_float16_neon,      gemm_int4_neon_dotprod, refine_int8_neon_dotprod,
              largest_neon,           find_at_least_neon};
    default:
      return {gemm_int8_neon, gemm_bfloat16_neon, gemm_float32_neon, gemm_float16_neon};
  }
}

TileKernel tile_kernel(Isa isa) {
  TileKernel kernel = tile_kernel_neon();
  if (isa >= Isa::neon_dotprod) kernel.scoring = scoring_int8_neon_dotprod();
  return kernel;
}

KvKernel kv_kernel(Isa isa, KvFormat format) {
  switch (format) {
    case KvFormat::int8:
      return isa >= Isa::neon_dotprod ? kv_kernel_int8_neon_dotprod() : kv_kernel_int8_neon();
    case KvFormat::float32:
      return kv_kernel_float32<gemm_float32_neon>(kv_kernel_bfloat16_neon());
    default:
      return kv_kernel_bfloat16_neon();
  }
}

}  // namespace engine::kernels
