#include <immintrin.h>

#include <algorithm>

#include "engine/kernels/bfloat16.h"
#include "engine/kernels/fetch_ahead_x86.h"
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

// So many inputs of an output lie together.
template <class Matrix>
constexpr int group = 1;
template <>
constexpr int group<Bfloat16Matrix> = 2;

// So many rows are multiplied together. Taking bfloat16 apart needs registers, too.
template <class Matrix>
constexpr int most_rows = tile_rows;
template <>
constexpr int most_rows<Bfloat16Matrix> = 4;

// The room for rows of bfloat16 that are widened is for as many of the widest layer of Whisper; of
// longer ones there are fewer.
constexpr int wide_inputs = most_rows<Bfloat16Matrix> * 5120;
static_assert(wide_inputs >= most_inputs);

// Return the weights of input `i` of a group for eight outputs.
template <class Matrix, int i>
[[gnu::always_inline]] inline __m256 eight(const float* weights) {
  return _mm256_loadu_ps(weights);
}
template <class Matrix, int i>
[[gnu::always_inline]] inline __m256 eight(const std::uint16_t* weights) {
  if constexpr (group<Matrix> == 1) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
  }
  const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights));
  return _mm256_castsi256_ps(i == 0 ? _mm256_slli_epi32(pairs, 16)
                                    : _mm256_and_si256(pairs, _mm256_set1_epi32(-65536)));
}

// Make eight outputs, from `column` on, of the sums of their products.
[[gnu::always_inline]] inline __m256 finished(__m256 sum, const Float32Matrix& w, int column) {
  return _mm256_add_ps(sum, _mm256_loadu_ps((w.bias == nullptr ? no_bias : w.bias + column)));
}
[[gnu::always_inline]] inline __m256 finished(__m256 sum, const Bfloat16Matrix& w, int column) {
  return _mm256_add_ps(sum, _mm256_loadu_ps(w.bias + column));
}
[[gnu::always_inline]] inline __m256 finished(__m256 sum, const Float16Matrix& w, int column) {
  return _mm256_fmadd_ps(sum, _mm256_loadu_ps(w.scale + column), _mm256_loadu_ps(w.bias + column));
}

// Adds the products of input `i` of the group at `weights`.
template <class Matrix, int i, int rows, int vectors, class Weight>
[[gnu::always_inline]] inline void add_products(const float* input, std::ptrdiff_t stride,
                                                const Weight* weights,
                                                __m256 (&sums)[rows][vectors]) {
  constexpr int step = width * group<Matrix>;
  if constexpr (rows == 1) {  // a panel's weights and sums are more than there are registers
    const __m256 x = _mm256_broadcast_ss(input);
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      sums[0][v] = _mm256_fmadd_ps(x, eight<Matrix, i>(weights + v * step), sums[0][v]);
    }
    return;
  }
  __m256 weight[vectors];
#pragma GCC unroll 8
  for (int v = 0; v < vectors; ++v) weight[v] = eight<Matrix, i>(weights + v * step);
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
    const __m256 x = _mm256_broadcast_ss(input + r * stride);
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sums[r][v] = _mm256_fmadd_ps(x, weight[v], sums[r][v]);
  }
}

// Computes a tile of rows, which are those from `row` on of the output. A tile reads a part of each
// of a panel's groups, which is slow where they come from memory, so the first tile fetches all of
// them.
template <Store store, int rows, int vectors, bool is_first, class Matrix>
void tile(const Float32Rows& x, int row, const Matrix& w, int column, const Output& out) {
  constexpr int inputs = group<Matrix>;
  const float* a = x.data;
  const auto* b = w.weight + column / panel_width * panel_width * std::ptrdiff_t{w.n_in} +
                  column % panel_width * inputs;
  __m256 sums[rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sums[r][v] = _mm256_setzero_ps();
  }
  for (std::ptrdiff_t k = 0; k < w.n_in; k += inputs, b += panel_width * inputs) {
    if constexpr (is_first) fetch_ahead<panel_width * inputs * sizeof(*b)>(b);
    add_products<Matrix, 0>(a + k, x.stride, b, sums);
    if constexpr (inputs == 2) add_products<Matrix, 1>(a + k + 1, x.stride, b, sums);
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
      return panel_of<store, std::min(5, most_rows<Matrix>)>(x, row, w, panel, out);
    default:
      return panel_of<store, most_rows<Matrix>>(x, row, w, panel, out);
  }
}

template <class Matrix>
void gemm(const Float32Rows& x, int rows, const Matrix& weight, Panels panels, const Output& out) {
  with_store(out.store, [&]<Store store>() {
    for (int panel = panels.first; panel < panels.last; ++panel) {
      for (int row = 0; row < rows;) {
        const int some = even_part(rows - row, most_rows<Matrix>);
        panel_of<store>(some, {x.data + row * x.stride, x.stride}, row, weight, panel, out);
        row += some;
      }
    }
  });
}

void widen(const Bfloat16Rows& x, int row, int rows, int n_in, float* wide) {
  for (int r = 0; r < rows; ++r, wide += n_in) {
    const std::uint16_t* from = x.data + (row + r) * x.stride;
    int k = 0;
    for (; k + width <= n_in; k += width) {
      const __m128i half = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + k));
      const __m256i bits = _mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(wide + k), bits);
    }
    for (; k < n_in; ++k) wide[k] = to_float(from[k]);
  }
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

// Pairs of bfloat16 are taken apart and multiplied as float32.
void gemm_bfloat16_avx2(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight,
                        Panels panels, const Output& out) {
  alignas(64) float wide[wide_inputs];
  const int most = std::min(wide_inputs / weight.n_in, most_rows<Bfloat16Matrix>);
  with_store(out.store, [&]<Store store>() {
    for (int panel = panels.first; panel < panels.last; ++panel) {
      for (int row = 0; row < rows;) {
        const int some = even_part(rows - row, most);
        widen(x, row, some, weight.n_in, wide);
        panel_of<store>(some, {wide, weight.n_in}, row, weight, panel, out);
        row += some;
      }
    }
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
