#include <immintrin.h>

#include "engine/kernels/fetch_ahead_x86.h"
#include "engine/kernels/gemm/finish_int8_avx512.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/row_parts.h"
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

// A tile has six rows at most: their 24 sums, the weights and an input fill the 32 registers.
constexpr int tile_rows = 6;
// A product of at most so many rows waits for memory.
constexpr int few_rows = 2 * tile_rows;

template <Store store, int rows, bool fetches>
void tile(const Int8Rows& x, int row, const Int8Matrix& w, int panel, const Output& out) {
  const std::ptrdiff_t n_in = w.n_in;
  const std::uint8_t* a = x.data + row * n_in;
  const std::int8_t* b = w.weight + panel * panel_width * n_in;
  Vectors sums0, sums1, sums2, sums3, sums4, sums5;
  for (std::ptrdiff_t k = 0; k < n_in; k += 4, b += panel_width * 4) {
    if constexpr (fetches) fetch_ahead<panel_width * 4>(b);
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

// Multiplies as many rows as a tile has at most; none is possible.
template <Store store, bool fetches>
void tile_of(int rows, const Int8Rows& x, int row, const Int8Matrix& w, int panel,
             const Output& out) {
  switch (rows) {
    case 1:
      return tile<store, 1, fetches>(x, row, w, panel, out);
    case 2:
      return tile<store, 2, fetches>(x, row, w, panel, out);
    case 3:
      return tile<store, 3, fetches>(x, row, w, panel, out);
    case 4:
      return tile<store, 4, fetches>(x, row, w, panel, out);
    case 5:
      return tile<store, 5, fetches>(x, row, w, panel, out);
    case 6:
      return tile<store, 6, fetches>(x, row, w, panel, out);
    default:
      return;
  }
}

// The first tile brings the panel into the caches, in which the second one finds it.
template <Store store>
void multiply_few(const Int8Rows& x, int rows, const Int8Matrix& w, int panel, const Output& out) {
  const int first = even_part(rows, tile_rows);
  tile_of<store, true>(first, x, 0, w, panel, out);
  tile_of<store, false>(rows - first, x, first, w, panel, out);
}

template <Store store>
void multiply_many(const Int8Rows& x, int rows, const Int8Matrix& w, int panel, const Output& out) {
  int row = 0;
  for (; row + tile_rows <= rows; row += tile_rows) {
    tile<store, tile_rows, false>(x, row, w, panel, out);
  }
  tile_of<store, false>(rows - row, x, row, w, panel, out);
}

}  // namespace

void gemm_int8_vnni(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                    const Output& out) {
  with_store(out.store, [&]<Store store>() {
    for (int panel = panels.first; panel < panels.last; ++panel) {
      if (rows <= few_rows) {
        multiply_few<store>(x, rows, weight, panel, out);
      } else {
        multiply_many<store>(x, rows, weight, panel, out);
      }
    }
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
