#include <immintrin.h>

#include "engine/kernels/fetch_ahead_x86.h"
#include "engine/kernels/gemm/finish_int8_avx2.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/row_parts.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma,avxvnni")

namespace engine::kernels {
namespace {

constexpr int width = 8;  // outputs of a vector
// The sums of six rows by sixteen outputs, their weights and an input fill the 16 registers.
constexpr int tile_rows = 6;
constexpr int tile_vectors = 2;

[[gnu::always_inline]] inline __m256i broadcast(const std::uint8_t* four_inputs) {
  std::int32_t four;
  __builtin_memcpy(&four, four_inputs, 4);
  return _mm256_set1_epi32(four);
}

// A tile reads a part of each of a panel's lines, which is slow where they come from memory, so the
// first tile fetches all of them.
template <Store store, int rows, int vectors, bool is_first>
void tile(const Int8Rows& x, int row, const Int8Matrix& w, int column, const Output& out) {
  const std::ptrdiff_t n_in = w.n_in;
  const std::uint8_t* a = x.data + row * n_in;
  const std::int8_t* b =
      w.weight + column / panel_width * panel_width * n_in + column % panel_width * 4;
  __m256i sums[rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sums[r][v] = _mm256_setzero_si256();
  }
  for (std::ptrdiff_t k = 0; k < n_in; k += 4, b += panel_width * 4) {
    if constexpr (is_first) fetch_ahead<panel_width * 4>(b);
    __m256i weight[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      weight[v] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + v * width * 4));
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const __m256i four = broadcast(a + r * n_in + k);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        sums[r][v] = _mm256_dpbusd_avx_epi32(sums[r][v], four, weight[v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      finish<store>(sums[r][v], x, row + r, w, column + v * width, out);
    }
  }
}

// Computes a panel for some rows. One or two have more vectors at a time, so that enough sums are
// under way.
template <Store store, int rows>
void panel_of(const Int8Rows& x, int row, const Int8Matrix& w, int panel, const Output& out) {
  constexpr int vectors = rows == 1 ? 8 : rows == 2 ? 4 : tile_vectors;
  const int column = panel * panel_width;
  if (row == 0) {
    tile<store, rows, vectors, true>(x, row, w, column, out);
  } else {
    tile<store, rows, vectors, false>(x, row, w, column, out);
  }
  for (int i = vectors * width; i < panel_width; i += vectors * width) {
    tile<store, rows, vectors, false>(x, row, w, column + i, out);
  }
}

template <Store store>
void panel_of(int rows, const Int8Rows& x, int row, const Int8Matrix& w, int panel,
              const Output& out) {
  switch (rows) {
    case 1:
      return panel_of<store, 1>(x, row, w, panel, out);
    case 2:
      return panel_of<store, 2>(x, row, w, panel, out);
    case 3:
      return panel_of<store, 3>(x, row, w, panel, out);
    case 4:
      return panel_of<store, 4>(x, row, w, panel, out);
    case 5:
      return panel_of<store, 5>(x, row, w, panel, out);
    default:
      return panel_of<store, tile_rows>(x, row, w, panel, out);
  }
}

}  // namespace

void gemm_int8_avx_vnni(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                        const Output& out) {
  with_store(out.store, [&]<Store store>() {
    for (int panel = panels.first; panel < panels.last; ++panel) {
      for (int row = 0; row < rows;) {
        const int some = even_part(rows - row, tile_rows);
        panel_of<store>(some, x, row, weight, panel, out);
        row += some;
      }
    }
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
