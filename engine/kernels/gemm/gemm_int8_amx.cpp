#include <immintrin.h>

#include <cstdint>

#include "engine/kernels/gemm/finish_int8_avx512.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/product_amx.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,amx-tile,amx-int8,amx-bf16")

namespace engine::kernels {
void gemm_int8_amx(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                   const Output& out) {
  if (rows < least_amx_rows) return gemm_int8_vnni(x, rows, weight, panels, out);
  with_store(out.store, [&]<Store store>() {
    multiply_panels<Int8Products>(
        {reinterpret_cast<const std::byte*>(x.data), weight.n_in}, rows,
        reinterpret_cast<const std::byte*>(weight.weight), weight.n_in, panels,
        [&](const std::int32_t* sums, int row, int column) {
          finish<store>(_mm512_load_si512(sums), x, row, weight, column, out);
          finish<store>(_mm512_load_si512(sums + 16), x, row, weight, column + 16, out);
        });
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
