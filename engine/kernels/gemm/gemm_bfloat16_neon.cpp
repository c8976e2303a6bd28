#include <arm_neon.h>

#include <cstring>

#include "engine/kernels/attention/attention_math_neon.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_neon.h"
#include "engine/kernels/gemm/store_switch.h"

namespace engine::kernels {
namespace {

constexpr int width = 4;  // outputs of a vector
// The sums of six rows by eight outputs, eight inputs of each row and weights fit into the 32
// registers.
constexpr int tile_rows = 6;
constexpr int tile_vectors = 2;

// Returns eight inputs as pairs: those that there are, and zeros.
uint32x4_t load_inputs(const Bfloat16* from, std::ptrdiff_t count) {
  Bfloat16 eight[8] = {};
  if (count < 8) {
    std::memcpy(eight, from, static_cast<std::size_t>(count) * sizeof(Bfloat16));
    from = eight;
  }
  return load_4_pairs(from);
}

template <Store store, int rows, int vectors>
void tile(const Bfloat16Rows& x, int row, const Bfloat16Matrix& w, int column, const Output& out) {
  const Bfloat16* a = x.data + row * x.stride;
  const Bfloat16* b = w.weight +
                      column / panel_width * panel_width * static_cast<std::ptrdiff_t>(w.n_in) +
                      column % panel_width * 2;
  float32x4_t sums[rows][vectors];
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) sums[r][v] = vdupq_n_f32(0);
  }
  for (std::ptrdiff_t k = 0; k < w.n_in; k += 8) {
    float32x4_t even[rows];
    float32x4_t odd[rows];
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      const uint32x4_t pairs = load_inputs(a + r * x.stride + k, w.n_in - k);
      even[r] = first(pairs);
      odd[r] = second(pairs);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i, b += panel_width * 2) {
      if (k + 2 * i >= w.n_in) break;
#pragma GCC unroll 16
      for (int v = 0; v < vectors; ++v) {
        const uint32x4_t pairs = load_4_pairs(b + v * 2 * width);
        const float32x4_t one = first(pairs);
        const float32x4_t other = second(pairs);
#pragma GCC unroll 16
        for (int r = 0; r < rows; ++r) {
          sums[r][v] = vfmaq_n_f32(sums[r][v], one, even[r][i]);
          sums[r][v] = vfmaq_n_f32(sums[r][v], other, odd[r][i]);
        }
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) {
      const int at = column + v * width;
      write<store>(vaddq_f32(sums[r][v], vld1q_f32(w.bias + at)), out, row + r, at);
    }
  }
}

// One row by itself has a whole panel, so that enough sums are under way.
template <Store store>
void one_row(const Bfloat16Rows& x, const Bfloat16Matrix& w, Panels panels, const Output& out) {
  for (int panel = panels.first; panel < panels.last; ++panel) {
    tile<store, 1, panel_width / width>(x, 0, w, panel * panel_width, out);
  }
}

}  // namespace

void gemm_bfloat16_neon(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight,
                        Panels panels, const Output& out) {
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
