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

// Multiplies one of each row's inputs.
template <int rows, int vectors, class Input>
[[gnu::always_inline]] inline void add_products(const float* weights, Sums<rows, vectors>& sums,
                                                Input input) {
#pragma GCC unroll 16
  for (int v = 0; v < vectors; ++v) {
    const float32x4_t weight = vld1q_f32(weights + v * width);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) sums[r][v] = vfmaq_n_f32(sums[r][v], weight, input(r));
  }
}

template <Store store, int rows, int vectors>
void tile(const Float32Rows& x, int row, const Float32Matrix& w, int column, const Output& out) {
  const float* a = x.data + row * x.stride;
  const float* b =
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
  const float* bias = w.bias == nullptr ? no_bias : w.bias + column;
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) {
      const float32x4_t total = vaddq_f32(sums[r][v], vld1q_f32(bias + v * width));
      write<store>(total, out, row + r, column + v * width);
    }
  }
}

// One row by itself has a whole panel, so that enough sums are under way.
template <Store store>
void one_row(const Float32Rows& x, const Float32Matrix& w, Panels panels, const Output& out) {
  for (int panel = panels.first; panel < panels.last; ++panel) {
    tile<store, 1, panel_width / width>(x, 0, w, panel * panel_width, out);
  }
}

}  // namespace

void gemm_float32_neon(const Float32Rows& x, int rows, const Float32Matrix& weight, Panels panels,
                       const Output& out) {
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

}  // namespace engine::kernels
