#include <immintrin.h>

#include "engine/kernels/fetch_ahead_x86.h"
#include "engine/kernels/gemm/finish_int8_avx512.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_switch.h"
#include "engine/kernels/vectors_vnni.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")

namespace engine::kernels {
namespace {

template <Store store>
[[gnu::always_inline]] inline void finish(const Vectors& sums, const Int8Rows& x, int row,
                                          const Int8Matrix& w, int panel, const Output& out) {
  const int column = panel * panel_width;
  finish<store>(sums.v0, x, row, w, column, out);
  finish<store>(sums.v1, x, row, w, column + 16, out);
  finish<store>(sums.v2, x, row, w, column + 32, out);
  finish<store>(sums.v3, x, row, w, column + 48, out);
}

// A tile has six rows at most: their 24 sums, the weights and an input fill the 32 registers. Fewer
// rows wait for memory, if they are not the last of many.
constexpr int tile_rows = 6;

template <Store store, int rows>
void tile(const Int8Rows& x, int row, const Int8Matrix& w, int panel, const Output& out) {
  const std::ptrdiff_t n_in = w.n_in;
  const std::uint8_t* a = x.data + row * n_in;
  const std::int8_t* b = w.weight + panel * panel_width * n_in;
  Vectors sums0, sums1, sums2, sums3, sums4, sums5;
  for (std::ptrdiff_t k = 0; k < n_in; k += 4, b += panel_width * 4) {
    if constexpr (rows < tile_rows) fetch_ahead<panel_width * 4>(b);
    const Vectors weight{_mm512_loadu_si512(b), _mm512_loadu_si512(b + 64),
                         _mm512_loadu_si512(b + 128), _mm512_loadu_si512(b + 192)};
    sums0.add_products(a + k, weight);
    if constexpr (rows > 1) sums1.add_products(a + n_in + k, weight);
    if constexpr (rows > 2) sums2.add_products(a + 2 * n_in + k, weight);
    if constexpr (rows > 3) sums3.add_products(a + 3 * n_in + k, weight);
    if constexpr (rows > 4) sums4.add_products(a + 4 * n_in + k, weight);
    if constexpr (rows > 5) sums5.add_products(a + 5 * n_in + k, weight);
  }
  finish<store>(sums0, x, row, w, panel, out);
  if constexpr (rows > 1) finish<store>(sums1, x, row + 1, w, panel, out);
  if constexpr (rows > 2) finish<store>(sums2, x, row + 2, w, panel, out);
  if constexpr (rows > 3) finish<store>(sums3, x, row + 3, w, panel, out);
  if constexpr (rows > 4) finish<store>(sums4, x, row + 4, w, panel, out);
  if constexpr (rows > 5) finish<store>(sums5, x, row + 5, w, panel, out);
}

template <Store store>
void last_tile(int rows, const Int8Rows& x, int row, const Int8Matrix& w, int panel,
               const Output& out) {
  switch (rows) {
    case 1:
      return tile<store, 1>(x, row, w, panel, out);
    case 2:
      return tile<store, 2>(x, row, w, panel, out);
    case 3:
      return tile<store, 3>(x, row, w, panel, out);
    case 4:
      return tile<store, 4>(x, row, w, panel, out);
    case 5:
      return tile<store, 5>(x, row, w, panel, out);
    default:
      return;
  }
}

}  // namespace

void gemm_int8_vnni(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                    const Output& out) {
  with_store(out.store, [&]<Store store>() {
    for (int panel = panels.first; panel < panels.last; ++panel) {
      int row = 0;
      for (; row + tile_rows <= rows; row += tile_rows) {
        tile<store, tile_rows>(x, row, weight, panel, out);
      }
      last_tile<store>(rows - row, x, row, weight, panel, out);
    }
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
