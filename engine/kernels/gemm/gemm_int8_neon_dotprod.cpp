#include <arm_neon.h>

#include <algorithm>
#include <cstring>

#include "engine/kernels/gemm/finish_int8_neon.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod")

namespace engine::kernels {
namespace {

constexpr int width = 4;    // outputs of a vector
constexpr int inputs = 16;  // of a row that a vector holds
// The sums of eight rows by eight outputs, their inputs and weights fit into the 32 registers.
constexpr int tile_rows = 8;
constexpr int tile_vectors = 2;
constexpr int most_rows = 64;  // for which a panel is read once

template <int rows>
using Inputs = uint8x16_t[rows];
template <int rows, int vectors>
using Sums = uint32x4_t[rows][vectors];

// Returns 128 times the sum of a row, which is less than 2^32 for 131,000 inputs.
std::uint32_t surplus_of(const std::uint8_t* row, std::ptrdiff_t n_in) {
  uint32x4_t sums = vdupq_n_u32(0);
  std::ptrdiff_t k = 0;
  for (; k + inputs <= n_in; k += inputs) {
    sums = vdotq_u32(sums, vld1q_u8(row + k), vdupq_n_u8(128));
  }
  std::uint32_t sum = vaddvq_u32(sums);
  for (; k < n_in; ++k) sum += 128U * row[k];
  return sum;
}

// Multiplies one four of each row's inputs. The instruction wants both sides with a sign or both
// without one: weights are made 128 larger, which is turning their highest bit, and what that adds
// to the products of a row is taken back in the end.
template <int four, int rows, int vectors>
[[gnu::always_inline]] inline void add_products(const std::int8_t* weights, const Inputs<rows>& x,
                                                Sums<rows, vectors>& sums) {
#pragma GCC unroll 16
  for (int v = 0; v < vectors; ++v) {
    const uint8x16_t signed_bytes =
        vreinterpretq_u8_s8(vld1q_s8(weights + four * 4 * panel_width + v * 4 * width));
    const uint8x16_t weight = veorq_u8(signed_bytes, vdupq_n_u8(0x80));
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      sums[r][v] = vdotq_laneq_u32(sums[r][v], weight, x[r], four);
    }
  }
}

template <Store store, int rows, int vectors>
void tile(const Int8Rows& x, int row, const std::uint32_t* surplus, const Int8Matrix& w, int column,
          const Output& out) {
  const std::ptrdiff_t n_in = w.n_in;
  const std::uint8_t* a = x.data + row * n_in;
  const std::int8_t* b =
      w.weight + column / panel_width * panel_width * n_in + column % panel_width * 4;
  Sums<rows, vectors> sums;
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) sums[r][v] = vdupq_n_u32(0);
  }
  Inputs<rows> in;
  std::ptrdiff_t k = 0;
  for (; k + inputs <= n_in; k += inputs, b += inputs * panel_width) {
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) in[r] = vld1q_u8(a + r * n_in + k);
    add_products<0, rows, vectors>(b, in, sums);
    add_products<1, rows, vectors>(b, in, sums);
    add_products<2, rows, vectors>(b, in, sums);
    add_products<3, rows, vectors>(b, in, sums);
  }
  if (k < n_in) {
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      std::uint8_t last[inputs] = {};
      std::memcpy(last, a + r * n_in + k, static_cast<std::size_t>(n_in - k));
      in[r] = vld1q_u8(last);
    }
    add_products<0, rows, vectors>(b, in, sums);
    if (k + 4 < n_in) add_products<1, rows, vectors>(b, in, sums);
    if (k + 8 < n_in) add_products<2, rows, vectors>(b, in, sums);
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
    const uint32x4_t beyond = vdupq_n_u32(surplus[r]);
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) {
      // The difference has a sign, and is right modulo 2^32.
      finish<store>(vreinterpretq_s32_u32(vsubq_u32(sums[r][v], beyond)), x, row + r, w,
                    column + v * width, out);
    }
  }
}

// One row by itself has a whole panel, so that enough sums are under way.
template <Store store>
void one_row(const Int8Rows& x, const Int8Matrix& w, Panels panels, const Output& out) {
  const std::uint32_t surplus = surplus_of(x.data, w.n_in);
  for (int panel = panels.first; panel < panels.last; ++panel) {
    tile<store, 1, panel_width / width>(x, 0, &surplus, w, panel * panel_width, out);
  }
}

// Multiplies rows [first, end), at most most_rows.
template <Store store>
void some_rows(const Int8Rows& x, int first, int end, const Int8Matrix& w, Panels panels,
               const Output& out) {
  std::uint32_t surplus[most_rows];
  for (int row = first; row < end; ++row) {
    surplus[row - first] = surplus_of(x.data + std::ptrdiff_t{row} * w.n_in, w.n_in);
  }
  for (int column = panels.first * panel_width; column < panels.last * panel_width;
       column += tile_vectors * width) {
    const std::uint32_t* beyond = surplus;
    int row = first;
    for (; row + tile_rows <= end; row += tile_rows, beyond += tile_rows) {
      tile<store, tile_rows, tile_vectors>(x, row, beyond, w, column, out);
    }
    for (; row + 2 <= end; row += 2, beyond += 2) {
      tile<store, 2, tile_vectors>(x, row, beyond, w, column, out);
    }
    if (row < end) tile<store, 1, tile_vectors>(x, row, beyond, w, column, out);
  }
}

}  // namespace

void gemm_int8_neon_dotprod(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                            const Output& out) {
  with_store(out.store, [&]<Store store>() {
    if (rows == 1) return one_row<store>(x, weight, panels, out);
    for (int row = 0; row < rows; row += most_rows) {
      some_rows<store>(x, row, std::min(row + most_rows, rows), weight, panels, out);
    }
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
