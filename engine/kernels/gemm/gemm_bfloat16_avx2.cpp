#include <immintrin.h>

#include <bit>

#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_avx2.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

// The sums of eight outputs of one row; pairs of bfloat16 are taken apart and multiplied as
// float32.
struct Sums {
  __m256 even{}, odd{};

  [[gnu::always_inline]] void add_products(const std::uint16_t* two_inputs, __m256 first,
                                           __m256 second) {
    even = _mm256_fmadd_ps(_mm256_set1_ps(to_float(two_inputs[0])), first, even);
    odd = _mm256_fmadd_ps(_mm256_set1_ps(to_float(two_inputs[1])), second, odd);
  }

  [[gnu::always_inline]] static float to_float(std::uint16_t value) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(value) << 16);
  }
};

template <Store store, int rows>
void tile(const Bfloat16Rows& x, int row, const Bfloat16Matrix& w, int column, const Output& out) {
  const std::uint16_t* a = x.data + row * x.stride;
  const std::uint16_t* b =
      w.weight + column / panel_width * panel_width * static_cast<std::ptrdiff_t>(w.n_in) +
      column % panel_width * 2;
  const __m256i upper = _mm256_set1_epi32(static_cast<int>(0xFFFF0000U));
  Sums sums0, sums1, sums2, sums3;
  for (std::ptrdiff_t k = 0; k < w.n_in; k += 2, b += panel_width * 2) {
    const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b));
    const __m256 first = _mm256_castsi256_ps(_mm256_slli_epi32(pairs, 16));
    const __m256 second = _mm256_castsi256_ps(_mm256_and_si256(pairs, upper));
    sums0.add_products(a + k, first, second);
    if constexpr (rows > 1) sums1.add_products(a + x.stride + k, first, second);
    if constexpr (rows > 2) sums2.add_products(a + 2 * x.stride + k, first, second);
    if constexpr (rows > 3) sums3.add_products(a + 3 * x.stride + k, first, second);
  }
  const __m256 bias = _mm256_loadu_ps(w.bias + column);
  const auto finish = [&](const Sums& sums, int r) __attribute__((always_inline)) {
    const __m256 total = _mm256_add_ps(_mm256_add_ps(sums.even, sums.odd), bias);
    write<store>(total, out, row + r, column);
  };
  finish(sums0, 0);
  if constexpr (rows > 1) finish(sums1, 1);
  if constexpr (rows > 2) finish(sums2, 2);
  if constexpr (rows > 3) finish(sums3, 3);
}

}  // namespace

void gemm_bfloat16_avx2(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight,
                        Panels panels, const Output& out) {
  with_store(out.store, [&]<Store store>() {
    for (int column = panels.first * panel_width; column < panels.last * panel_width; column += 8) {
      int row = 0;
      for (; row + 4 <= rows; row += 4) tile<store, 4>(x, row, weight, column, out);
      for (; row < rows; ++row) tile<store, 1>(x, row, weight, column, out);
    }
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
