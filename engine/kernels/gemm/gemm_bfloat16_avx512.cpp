#include <immintrin.h>

#include "engine/kernels/fetch_ahead_x86.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/store_avx512.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")

namespace engine::kernels {
namespace {

// A tile is that of gemm_int8_vnni.cpp, with pairs of inputs in place of fours.
struct Vectors {
  __m512 v0{}, v1{}, v2{}, v3{};

  [[gnu::always_inline]] void add_products(const std::uint16_t* two_inputs,
                                           const std::uint16_t* weight) {
    std::int32_t two;
    __builtin_memcpy(&two, two_inputs, 4);
    const auto x = (__m512bh)_mm512_set1_epi32(two);
    v0 = _mm512_dpbf16_ps(v0, x, (__m512bh)_mm512_loadu_si512(weight));
    v1 = _mm512_dpbf16_ps(v1, x, (__m512bh)_mm512_loadu_si512(weight + 32));
    v2 = _mm512_dpbf16_ps(v2, x, (__m512bh)_mm512_loadu_si512(weight + 64));
    v3 = _mm512_dpbf16_ps(v3, x, (__m512bh)_mm512_loadu_si512(weight + 96));
  }
};

template <Store store>
[[gnu::always_inline]] inline void finish(const Vectors& sums, int row, const Bfloat16Matrix& w,
                                          int panel, const Output& out) {
  const int column = panel * panel_width;
  const float* bias = w.bias + column;
  write<store>(_mm512_add_ps(sums.v0, _mm512_loadu_ps(bias)), out, row, column);
  write<store>(_mm512_add_ps(sums.v1, _mm512_loadu_ps(bias + 16)), out, row, column + 16);
  write<store>(_mm512_add_ps(sums.v2, _mm512_loadu_ps(bias + 32)), out, row, column + 32);
  write<store>(_mm512_add_ps(sums.v3, _mm512_loadu_ps(bias + 48)), out, row, column + 48);
}

constexpr int tile_rows = 6;

template <Store store, int rows>
void tile(const Bfloat16Rows& x, int row, const Bfloat16Matrix& w, int panel, const Output& out) {
  const std::uint16_t* a = x.data + row * x.stride;
  const std::uint16_t* b = w.weight + static_cast<std::ptrdiff_t>(panel) * panel_width * w.n_in;
  Vectors sums0, sums1, sums2, sums3, sums4, sums5;
  for (std::ptrdiff_t k = 0; k < w.n_in; k += 2, b += panel_width * 2) {
    if constexpr (rows < tile_rows) fetch_ahead<panel_width * 2 * sizeof(*b)>(b);
    sums0.add_products(a + k, b);
    if constexpr (rows > 1) sums1.add_products(a + x.stride + k, b);
    if constexpr (rows > 2) sums2.add_products(a + 2 * x.stride + k, b);
    if constexpr (rows > 3) sums3.add_products(a + 3 * x.stride + k, b);
    if constexpr (rows > 4) sums4.add_products(a + 4 * x.stride + k, b);
    if constexpr (rows > 5) sums5.add_products(a + 5 * x.stride + k, b);
  }
  finish<store>(sums0, row, w, panel, out);
  if constexpr (rows > 1) finish<store>(sums1, row + 1, w, panel, out);
  if constexpr (rows > 2) finish<store>(sums2, row + 2, w, panel, out);
  if constexpr (rows > 3) finish<store>(sums3, row + 3, w, panel, out);
  if constexpr (rows > 4) finish<store>(sums4, row + 4, w, panel, out);
  if constexpr (rows > 5) finish<store>(sums5, row + 5, w, panel, out);
}

template <Store store>
void last_tile(int rows, const Bfloat16Rows& x, int row, const Bfloat16Matrix& w, int panel,
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

}  // namespace

void gemm_bfloat16_avx512(const Bfloat16Rows& x, int rows, const Bfloat16Matrix& weight,
                          Panels panels, const Output& out) {
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

}  // namespace engine::kernels

#pragma GCC pop_options
