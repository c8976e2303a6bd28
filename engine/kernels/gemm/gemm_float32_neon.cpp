#include <arm_neon.h>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_neon.h"
#include "engine/kernels/gemm/store_switch.h"

namespace engine::kernels {
namespace {

constexpr int width = 4;  // floats of a vector
// The sums of six rows by sixteen outputs, six inputs and a weight fill the 32 registers.
constexpr int tile_rows = 6;
constexpr int tile_vectors = 4;
constexpr float no_bias[panel_width] = {};

template <int rows, int vectors>
using Sums = float32x4_t[rows][vectors];

[[gnu::always_inline]] inline float32x4_t four(const float* weights) {
  return vld1q_f32(weights);
}
[[gnu::always_inline]] inline float32x4_t four(const Float16* weights) {
  return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(weights)));
}

// Make four outputs, from `column` on, of the sums of their products.
[[gnu::always_inline]] inline float32x4_t finished(float32x4_t sum, const Float32Matrix& w,
                                                   int column) {
  return vaddq_f32(sum, vld1q_f32(w.bias == nullptr ? no_bias : w.bias + column));
}
[[gnu::always_inline]] inline float32x4_t finished(float32x4_t sum, const Float16Matrix& w,
                                                   int column) {
  return vfmaq_f32(vld1q_f32(w.bias + column), sum, vld1q_f32(w.scale + column));
}

// Multiplies one of each row's inputs.
template <int rows, int vectors, class Weight, class Input>
[[gnu::always_inline]] inline void add_products(const Weight* weights, Sums<rows, vectors>& sums,
                                                Input input) {
#pragma GCC unroll 16
  for (int v = 0; v < vectors; ++v) {
    const float32x4_t weight = four(weights + v * width);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) sums[r][v] = vfmaq_n_f32(sums[r][v], weight, input(r));
  }
}

template <Store store, int rows, int vectors, class Matrix>
void tile(const Float32Rows& x, int row, const Matrix& w, int column, const Output& out) {
  const float* a = x.data + row * x.stride;
  const auto* b =
      w.weight + column / panel_width * panel_width * std::ptrdiff_t{w.n_in} + column % panel_width;
  Sums<rows, vectors> sums;
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) sums[r][v] = vdupq_n_f32(0);
  }
  std::ptrdiff_t k = 0;
  for (; k + width <= w.n_in; k += width) {
    float32x4_t in[rows];
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) in[r] = vld1q_f32(a + r * x.stride + k);
#pragma GCC unroll 4
    for (int i = 0; i < width; ++i, b += panel_width) {
      add_products<rows, vectors>(b, sums, [&](int r) { return in[r][i]; });
    }
  }
  for (; k < w.n_in; ++k, b += panel_width) {
    add_products<rows, vectors>(b, sums, [&](int r) { return a[r * x.stride + k]; });
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) {
      const int at = column + v * width;
      write<store>(finished(sums[r][v], w, at), out, row + r, at);
    }
  }
}

// One row by itself has a whole panel, so that enough sums are under way.
template <Store store, class Matrix>
void one_row(const Float32Rows& x, const Matrix& w, Panels panels, const Output& out) {
  for (int panel = panels.first; panel < panels.last; ++panel) {
    tile<store, 1, panel_width / width>(x, 0, w, panel * panel_width, out);
  }
}

template <class Matrix>
void gemm(const Float32Rows& x, int rows, const Matrix& weight, Panels panels, const Output& out) {
  with_store(out.store, [&]<Store store>() {
    if (rows == 1) return one_row<store>(x, weight, panels, out);
    for (int column = panels.first * panel_width; column < panels.last * panel_width;
         column += tile_vectors * width) {
      int row = 0;
      for (; row + tile_rows <= rows; row += tile_rows) {
        tile<store, tile_rows, tile_vectors>(x, row, weight, column, out);
      }
      for (; row + 2 <= rows; row += 2) {
        tile<store, 2, tile_vectors>(x, row, weight, column, out);
      }
      if (row < rows) tile<store, 1, tile_vectors>(x, row, weight, column, out);
    }
  });
}

}  // namespace

void gemm_float32_neon(const Float32Rows& x, int rows, const Float32Matrix& weight, Panels panels,
                       const Output& out) {
  gemm(x, rows, weight, panels, out);
}

void gemm_float16_neon(const Float32Rows& x, int rows, const Float16Matrix& weight, Panels panels,
                       const Output& out) {
  gemm(x, rows, weight, panels, out);
}

}  // namespace engine::kernels
