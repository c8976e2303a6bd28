#include <immintrin.h>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_avx2.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

// The sums of sixteen outputs of one row.
struct Sums {
  __m256 low{}, high{};

  [[gnu::always_inline]] void add_products(const float* input, __m256 first, __m256 second) {
    const __m256 x = _mm256_broadcast_ss(input);
    low = _mm256_fmadd_ps(x, first, low);
    high = _mm256_fmadd_ps(x, second, high);
  }
};

constexpr int tile_rows = 6;
constexpr int tile_columns = 16;
constexpr float no_bias[tile_columns] = {};

template <Store store, int rows>
void tile(const Float32Rows& x, int row, const Float32Matrix& w, int column, const Output& out) {
  const float* a = x.data + row * x.stride;
  const float* b =
      w.weight + column / panel_width * panel_width * std::ptrdiff_t{w.n_in} + column % panel_width;
  Sums sums0, sums1, sums2, sums3, sums4, sums5;
  for (std::ptrdiff_t k = 0; k < w.n_in; ++k, b += panel_width) {
    const __m256 first = _mm256_loadu_ps(b);
    const __m256 second = _mm256_loadu_ps(b + 8);
    sums0.add_products(a + k, first, second);
    if constexpr (rows > 1) sums1.add_products(a + x.stride + k, first, second);
    if constexpr (rows > 2) sums2.add_products(a + 2 * x.stride + k, first, second);
    if constexpr (rows > 3) sums3.add_products(a + 3 * x.stride + k, first, second);
    if constexpr (rows > 4) sums4.add_products(a + 4 * x.stride + k, first, second);
    if constexpr (rows > 5) sums5.add_products(a + 5 * x.stride + k, first, second);
  }
  const auto finish = [&](const Sums& sums, int r) __attribute__((always_inline)) {
    const float* bias = w.bias == nullptr ? no_bias : w.bias + column;
    write<store>(_mm256_add_ps(sums.low, _mm256_loadu_ps(bias)), out, row + r, column);
    write<store>(_mm256_add_ps(sums.high, _mm256_loadu_ps(bias + 8)), out, row + r, column + 8);
  };
  finish(sums0, 0);
  if constexpr (rows > 1) finish(sums1, 1);
  if constexpr (rows > 2) finish(sums2, 2);
  if constexpr (rows > 3) finish(sums3, 3);
  if constexpr (rows > 4) finish(sums4, 4);
  if constexpr (rows > 5) finish(sums5, 5);
}

}  // namespace

void gemm_float32_avx2(const Float32Rows& x, int rows, const Float32Matrix& weight, Panels panels,
                       const Output& out) {
  with_store(out.store, [&]<Store store>() {
    for (int column = panels.first * panel_width; column < panels.last * panel_width;
         column += tile_columns) {
      int row = 0;
      for (; row + tile_rows <= rows; row += tile_rows) {
        tile<store, tile_rows>(x, row, weight, column, out);
      }
      for (; row + 2 <= rows; row += 2) tile<store, 2>(x, row, weight, column, out);
      if (row < rows) tile<store, 1>(x, row, weight, column, out);
    }
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
