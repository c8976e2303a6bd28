#include "engine/kernels/attention/attention_tile.h"
#include "engine/kernels/decoder_attention/decoder_attention_float32.h"
#include "engine/kernels/kernels.h"

namespace engine::kernels {
namespace {

TileKernel tile_kernel_avx512_vnni() {
  TileKernel kernel = tile_kernel_avx512();
  kernel.scoring = scoring_int8_vnni();
  return kernel;
}

}  // namespace

Kernels kernels_for(Isa isa) {
  switch (isa) {
    case Isa::amx:
      return {gemm_int8_amx,  gemm_bfloat16_amx, gemm_float32_avx512, gemm_float16_avx512,
              gemm_int4_vnni, refine_int8_vnni,  largest_avx512,      find_at_least_avx512};
    case Isa::avx512_bf16:
      return {gemm_int8_vnni, gemm_bfloat16_avx512, gemm_float32_avx512, gemm_float16_avx512,
              gemm_int4_vnni, refine_int8_vnni,     largest_avx512,      find_at_least_avx512};
    case Isa::avx512_vnni:
      return {gemm_int8_vnni, gemm_bfloat16_avx2, gemm_float32_avx512, gemm_float16_avx512,
              gemm_int4_vnni, refine_int8_vnni,   largest_avx512,      find_at_least_avx512};
    case Isa::avx512:
      return {gemm_int8_avx2, gemm_bfloat16_avx2, gemm_float32_avx512, gemm_float16_avx512,
              gemm_int4_avx2, refine_int8_avx2,   largest_avx512,      find_at_least_avx512};
    case Isa::avx_vnni:
      return {gemm_int8_avx_vnni, gemm_bfloat16_avx2, gemm_float32_avx2, gemm_float16_avx2,
              gemm_int4_avx2,     refine_int8_avx2,   largest_avx2,      find_at_least_avx2};
    default:
      return {gemm_int8_avx2, gemm_bfloat16_avx2, gemm_float32_avx2, gemm_float16_avx2,
              gemm_int4_avx2, refine_int8_avx2,   largest_avx2,      find_at_least_avx2};
  }
}

TileKernel tile_kernel(Isa isa) {
  switch (isa) {
    case Isa::amx:
      return tile_kernel_amx();
    case Isa::avx512_bf16:
      return tile_kernel_avx512_bf16();
    case Isa::avx512_vnni:
      return tile_kernel_avx512_vnni();
    case Isa::avx512:
      return tile_kernel_avx512();
    default:
      return tile_kernel_avx2();
  }
}

KvKernel kv_kernel(Isa isa, KvFormat format) {
  if (format == KvFormat::int8) {
    return isa >= Isa::avx512_vnni ? kv_kernel_int8_vnni() : kv_kernel_int8_avx2();
  }
  const KvKernel bfloat16 =
      isa >= Isa::avx512 ? kv_kernel_bfloat16_avx512() : kv_kernel_bfloat16_avx2();
  if (format == KvFormat::bfloat16) return bfloat16;
  return isa >= Isa::avx512 ? kv_kernel_float32<gemm_float32_avx512>(bfloat16)
                            : kv_kernel_float32<gemm_float32_avx2>(bfloat16);
}

}  // namespace engine::kernels
