#include <immintrin.h>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/row_parts.h"
#include "engine/kernels/gemm/store_avx2.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma,f16c")

namespace engine::kernels {
namespace {

constexpr int width = 8;  // outputs of a vector
// The sums of six rows by sixteen outputs, their weights and an input fill the 16 registers.
constexpr int tile_rows = 6;
constexpr int tile_vectors = 2;
constexpr float no_bias[panel_width] = {};

[[gnu::always_inline]] inline __m256 eight(const float* weights) {
  return _mm256_loadu_ps(weights);
}
[[gnu::always_inline]] inline __m256 eight(const Float16* weights) {
  return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
}

// Make eight outputs, from `column` on, of the sums of their products.
[[gnu::always_inline]] inline __m256 finished(__m256 sum, const Float32Matrix& w, int column) {
  return _mm256_add_ps(sum, _mm256_loadu_ps((w.bias == nullptr ? no_bias : w.bias + column)));
}
[[gnu::always_inline]] inline __m256 finished(__m256 sum, const Float16Matrix& w, int column) {
  return _mm256_fmadd_ps(sum, _mm256_loadu_ps(w.scale + column), _mm256_loadu_ps(w.bias + column));
}

// Where few rows are multiplied, weights come from memory. A tile reads a part of each of a panel's
// rows, which is slow there, so the first tile fetches all of what lies some rows ahead.
template <class Weight>
[[gnu::always_inline]] inline void fetch_ahead(const Weight* weights) {
  constexpr int rows_ahead = 16;
  constexpr int line = 64 / sizeof(Weight);
#pragma GCC unroll 4
  for (int i = 0; i < panel_width; i += line) {
    _mm_prefetch(weights + rows_ahead * panel_width + i, _MM_HINT_T0);
  }
}

template <Store store, int rows, int vectors, bool is_first, class Matrix>
void tile(const Float32Rows& x, int row, const Matrix& w, int column, const Output& out) {
  const float* a = x.data + row * x.stride;
  const auto* b =
      w.weight + column / panel_width * panel_width * std::ptrdiff_t{w.n_in} + column % panel_width;
  __m256 sums[rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sums[r][v] = _mm256_setzero_ps();
  }
  for (std::ptrdiff_t k = 0; k < w.n_in; ++k, b += panel_width) {
    if constexpr (is_first) fetch_ahead(b);
    if constexpr (rows == 1) {  // a panel's weights and sums are more than there are registers
      const __m256 input = _mm256_broadcast_ss(a + k);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        sums[0][v] = _mm256_fmadd_ps(input, eight(b + v * width), sums[0][v]);
      }
      continue;
    }
    __m256 weight[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) weight[v] = eight(b + v * width);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const __m256 input = _mm256_broadcast_ss(a + r * x.stride + k);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        sums[r][v] = _mm256_fmadd_ps(input, weight[v], sums[r][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      const int at = column + v * width;
      write<store>(finished(sums[r][v], w, at), out, row + r, at);
    }
  }
}

// Computes a panel for some rows, which share its weights while they are in the second cache.
template <Store store, int rows, class Matrix>
void panel_of(const Float32Rows& x, int row, const Matrix& w, int panel, const Output& out) {
  // One or two rows have more vectors at a time, so that enough sums are under way.
  constexpr int vectors = rows == 1 ? panel_width / width : rows == 2 ? 4 : tile_vectors;
  const int column = panel * panel_width;
  if (row == 0) {
    tile<store, rows, vectors, (rows > 1)>(x, row, w, column, out);
  } else {
    tile<store, rows, vectors, false>(x, row, w, column, out);
  }
  for (int i = vectors * width; i < panel_width; i += vectors * width) {
    tile<store, rows, vectors, false>(x, row, w, column + i, out);
  }
}

template <Store store, class Matrix>
void panel_of(int rows, const Float32Rows& x, int row, const Matrix& w, int panel,
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

template <class Matrix>
void gemm(const Float32Rows& x, int rows, const Matrix& weight, Panels panels, const Output& out) {
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

}  // namespace

void gemm_float32_avx2(const Float32Rows& x, int rows, const Float32Matrix& weight, Panels panels,
                       const Output& out) {
  gemm(x, rows, weight, panels, out);
}

void gemm_float16_avx2(const Float32Rows& x, int rows, const Float16Matrix& weight, Panels panels,
                       const Output& out) {
  gemm(x, rows, weight, panels, out);
}

}  // namespace engine::kernels

#pragma GCC pop_options
