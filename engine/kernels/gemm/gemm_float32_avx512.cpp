#include <immintrin.h>

#include "engine/kernels/fetch_ahead_x86.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_avx512.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("avx512f")

namespace engine::kernels {
namespace {

// A tile is that of gemm_int8_vnni.cpp, with one input in place of four.
struct Vectors {
  __m512 v0{}, v1{}, v2{}, v3{};

  [[gnu::always_inline]] void add_products(const float* input, const Vectors& weight) {
    const __m512 x = _mm512_set1_ps(*input);
    v0 = _mm512_fmadd_ps(x, weight.v0, v0);
    v1 = _mm512_fmadd_ps(x, weight.v1, v1);
    v2 = _mm512_fmadd_ps(x, weight.v2, v2);
    v3 = _mm512_fmadd_ps(x, weight.v3, v3);
  }
};

constexpr float no_bias[panel_width] = {};

[[gnu::always_inline]] inline __m512 sixteen(const float* weights) {
  return _mm512_loadu_ps(weights);
}
[[gnu::always_inline]] inline __m512 sixteen(const Float16* weights) {
  return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(weights)));
}

// Make sixteen outputs, from `column` on, of the sums of their products.
[[gnu::always_inline]] inline __m512 finished(__m512 sum, const Float32Matrix& w, int column) {
  return _mm512_add_ps(sum, _mm512_loadu_ps(w.bias == nullptr ? no_bias : w.bias + column));
}
[[gnu::always_inline]] inline __m512 finished(__m512 sum, const Float16Matrix& w, int column) {
  return _mm512_fmadd_ps(sum, _mm512_loadu_ps(w.scale + column), _mm512_loadu_ps(w.bias + column));
}

template <Store store, class Matrix>
[[gnu::always_inline]] inline void finish(const Vectors& sums, int row, const Matrix& w, int panel,
                                          const Output& out) {
  const int column = panel * panel_width;
  write<store>(finished(sums.v0, w, column), out, row, column);
  write<store>(finished(sums.v1, w, column + 16), out, row, column + 16);
  write<store>(finished(sums.v2, w, column + 32), out, row, column + 32);
  write<store>(finished(sums.v3, w, column + 48), out, row, column + 48);
}

constexpr int tile_rows = 6;

template <Store store, int rows, class Matrix>
void tile(const Float32Rows& x, int row, const Matrix& w, int panel, const Output& out) {
  const float* a = x.data + row * x.stride;
  const auto* b = w.weight + static_cast<std::ptrdiff_t>(panel) * panel_width * w.n_in;
  Vectors sums0, sums1, sums2, sums3, sums4, sums5;
  for (std::ptrdiff_t k = 0; k < w.n_in; ++k, b += panel_width) {
    if constexpr (rows < tile_rows) fetch_ahead<panel_width * sizeof(*b)>(b);
    const Vectors weight{sixteen(b), sixteen(b + 16), sixteen(b + 32), sixteen(b + 48)};
    sums0.add_products(a + k, weight);
    if constexpr (rows > 1) sums1.add_products(a + x.stride + k, weight);
    if constexpr (rows > 2) sums2.add_products(a + 2 * x.stride + k, weight);
    if constexpr (rows > 3) sums3.add_products(a + 3 * x.stride + k, weight);
    if constexpr (rows > 4) sums4.add_products(a + 4 * x.stride + k, weight);
    if constexpr (rows > 5) sums5.add_products(a + 5 * x.stride + k, weight);
  }
  finish<store>(sums0, row, w, panel, out);
  if constexpr (rows > 1) finish<store>(sums1, row + 1, w, panel, out);
  if constexpr (rows > 2) finish<store>(sums2, row + 2, w, panel, out);
  if constexpr (rows > 3) finish<store>(sums3, row + 3, w, panel, out);
  if constexpr (rows > 4) finish<store>(sums4, row + 4, w, panel, out);
  if constexpr (rows > 5) finish<store>(sums5, row + 5, w, panel, out);
}

template <Store store, class Matrix>
void last_tile(int rows, const Float32Rows& x, int row, const Matrix& w, int panel,
               const Output& out) {
  switch (rows) {
    case 1:
      return tile<store, 1>(x, row, w, panel, out);
    case 2:
      return tile<store, 2>(x, row, w, panel, out);
    case 3:
      return tile<store, 3>(x, row, w, panel, out);
    case 4:
      return tile<store, 4>(x, row, w, panel, out);
    case 5:
      return tile<store, 5>(x, row, w, panel, out);
    default:
      return;
  }
}

template <class Matrix>
void gemm(const Float32Rows& x, int rows, const Matrix& weight, Panels panels, const Output& out) {
  with_store(out.store, [&]<Store store>() {
    for (int panel = panels.first; panel < panels.last; ++panel) {
      int row = 0;
      for (; row + tile_rows <= rows; row += tile_rows) {
        tile<store, tile_rows>(x, row, weight, panel, out);
      }
      last_tile<store>(rows - row, x, row, weight, panel, out);
    }
  });
}

}  // namespace

void gemm_float32_avx512(const Float32Rows& x, int rows, const Float32Matrix& weight, Panels panels,
                         const Output& out) {
  gemm(x, rows, weight, panels, out);
}

void gemm_float16_avx512(const Float32Rows& x, int rows, const Float16Matrix& weight, Panels panels,
                         const Output& out) {
  gemm(x, rows, weight, panels, out);
}

}  // namespace engine::kernels

#pragma GCC pop_options
