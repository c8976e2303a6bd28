#include <immintrin.h>

#include <cstdint>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/product_amx.h"
#include "engine/kernels/gemm/store_avx512.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,amx-tile,amx-int8,amx-bf16")

namespace engine::kernels {

void gemm_bfloat16_amx(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight, Panels panels,
                       const Output& out) {
  // Few rows too: those of AVX-512 round otherwise, and a row's results must not depend on how many
  // are beside it.
  constexpr std::ptrdiff_t number_bytes = sizeof(std::uint16_t);
  with_store(out.store, [&]<Store store>() {
    multiply_panels<Bfloat16Products>(
        {reinterpret_cast<const std::byte*>(x.data), x.stride * number_bytes}, rows,
        reinterpret_cast<const std::byte*>(weight.weight), weight.n_in * number_bytes, panels,
        [&](const float* sums, int row, int column) {
          const float* bias = weight.bias + column;
          write<store>(_mm512_add_ps(_mm512_load_ps(sums), _mm512_loadu_ps(bias)), out, row,
                       column);
          write<store>(_mm512_add_ps(_mm512_load_ps(sums + 16), _mm512_loadu_ps(bias + 16)), out,
                       row, column + 16);
        });
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
