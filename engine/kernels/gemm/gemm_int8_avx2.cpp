#include <immintrin.h>

#include "engine/kernels/gemm/finish_int8_avx2.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

// Without VNNI the products of bytes would overflow where pairs of them are added, so both sides
// are widened to 16 bits first. Each register holds two partial sums of four outputs.
struct Vectors {
  __m256i v0{}, v1{}, v2{}, v3{};

  [[gnu::always_inline]] void add_products(const std::uint8_t* four_inputs, const Vectors& weight) {
    std::int32_t four;
    __builtin_memcpy(&four, four_inputs, 4);
    const __m256i x = _mm256_cvtepu8_epi16(_mm_set1_epi32(four));
    v0 = _mm256_add_epi32(v0, _mm256_madd_epi16(x, weight.v0));
    v1 = _mm256_add_epi32(v1, _mm256_madd_epi16(x, weight.v1));
    v2 = _mm256_add_epi32(v2, _mm256_madd_epi16(x, weight.v2));
    v3 = _mm256_add_epi32(v3, _mm256_madd_epi16(x, weight.v3));
  }
};

[[gnu::always_inline]] inline __m256i four_weights(const std::int8_t* weight) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weight)));
}

// Returns the sums of eight outputs from their partial ones, in order.
[[gnu::always_inline]] inline __m256i joined(__m256i first, __m256i second) {
  return _mm256_permute4x64_epi64(_mm256_hadd_epi32(first, second), 0xD8);
}

// Computes sixteen outputs of one or two rows.
template <Store store, int rows>
void tile(const Int8Rows& x, int row, const Int8Matrix& w, int column, const Output& out) {
  const std::ptrdiff_t n_in = w.n_in;
  const std::uint8_t* a = x.data + row * n_in;
  const std::int8_t* b =
      w.weight + column / panel_width * panel_width * n_in + column % panel_width * 4;
  Vectors sums0, sums1;
  for (std::ptrdiff_t k = 0; k < n_in; k += 4, b += panel_width * 4) {
    const Vectors weight{four_weights(b), four_weights(b + 16), four_weights(b + 32),
                         four_weights(b + 48)};
    sums0.add_products(a + k, weight);
    if constexpr (rows > 1) sums1.add_products(a + n_in + k, weight);
  }
  finish<store>(joined(sums0.v0, sums0.v1), x, row, w, column, out);
  finish<store>(joined(sums0.v2, sums0.v3), x, row, w, column + 8, out);
  if constexpr (rows > 1) {
    finish<store>(joined(sums1.v0, sums1.v1), x, row + 1, w, column, out);
    finish<store>(joined(sums1.v2, sums1.v3), x, row + 1, w, column + 8, out);
  }
}

}  // namespace

void gemm_int8_avx2(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                    const Output& out) {
  with_store(out.store, [&]<Store store>() {
    for (int column = panels.first * panel_width; column < panels.last * panel_width;
         column += 16) {
      int row = 0;
      for (; row + 2 <= rows; row += 2) tile<store, 2>(x, row, weight, column, out);
      if (row < rows) tile<store, 1>(x, row, weight, column, out);
    }
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
