#include <immintrin.h>

#include <algorithm>
#include <array>

#include "engine/kernels/fetch_ahead_x86.h"
#include "engine/kernels/top_logits/preselection.h"
#include "engine/kernels/vectors_vnni.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")

namespace engine::kernels {
namespace {

[[gnu::always_inline]] inline Vectors halves(const std::uint8_t* packed) {
  const __m512i low = _mm512_set1_epi8(15);
  const __m512i first = _mm512_loadu_si512(packed);
  const __m512i second = _mm512_loadu_si512(packed + 64);
  return {_mm512_and_si512(first, low), _mm512_and_si512(_mm512_srli_epi16(first, 4), low),
          _mm512_and_si512(second, low), _mm512_and_si512(_mm512_srli_epi16(second, 4), low)};
}

// The part that a row adds to each of its products.
struct RowPart {
  __m512i surplus;  // of the weights' + 8
  __m512 mean;      // x·mean
};

RowPart part_of(const Int8Rows& x, int row, const Int4Matrix& w) {
  const std::uint8_t* inputs = x.data + static_cast<std::ptrdiff_t>(row) * w.n_in;
  const __m512 zero = _mm512_set1_ps(x.zero[row]);
  __m512i sum = _mm512_setzero_si512();
  __m512 product = _mm512_setzero_ps();
  for (int k = 0; k < w.n_in; k += 16) {
    const auto lanes = static_cast<__mmask16>(w.n_in - k < 16 ? (1 << (w.n_in - k)) - 1 : 0xFFFF);
    const __m512i q = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(lanes, inputs + k));
    sum = _mm512_add_epi32(sum, q);
    product = _mm512_fmadd_ps(_mm512_sub_ps(_mm512_cvtepi32_ps(q), zero),
                              _mm512_maskz_loadu_ps(lanes, w.mean + k), product);
  }
  return {_mm512_set1_epi32(8 * _mm512_reduce_add_epi32(sum)),
          _mm512_set1_ps(x.scale[row] * _mm512_reduce_add_ps(product))};
}

[[gnu::always_inline]] inline void finish(__m512i sums, const RowPart& part, const Int8Rows& x,
                                          int row, const Int4Matrix& w, int column, float* out) {
  const __m512 scale = _mm512_set1_ps(x.scale[row]);
  const __m512 shift = _mm512_set1_ps(x.scale[row] * x.zero[row]);
  const __m512 rest = _mm512_fnmadd_ps(shift, _mm512_loadu_ps(w.sum + column), part.mean);
  const __m512 factor = _mm512_mul_ps(scale, _mm512_loadu_ps(w.scale + column));
  const __m512 product = _mm512_cvtepi32_ps(_mm512_sub_epi32(sums, part.surplus));
  _mm512_storeu_ps(out + column, _mm512_fmadd_ps(product, factor, rest));
}

[[gnu::always_inline]] inline void finish(const Vectors& sums, const RowPart& part,
                                          const Int8Rows& x, int row, const Int4Matrix& w,
                                          int panel, float* out) {
  const int column = panel * panel_width;
  finish(sums.v0, part, x, row, w, column, out);
  finish(sums.v1, part, x, row, w, column + 16, out);
  finish(sums.v2, part, x, row, w, column + 32, out);
  finish(sums.v3, part, x, row, w, column + 48, out);
}

// A tile has four rows at most, so that sums, weights and what they are unpacked from stay in
// registers. It fetches the weights that lie `ahead` bytes behind those it multiplies.
template <int rows>
void tile(const Int8Rows& x, int row, const RowPart* parts, const Int4Matrix& w, int panel,
          std::ptrdiff_t ahead, float* out, std::ptrdiff_t stride) {
  const std::ptrdiff_t n_in = w.n_in;
  const std::uint8_t* a = x.data + row * n_in;
  const std::uint8_t* b = w.weight + panel * panel_width * n_in / 2;
  Vectors sums0, sums1, sums2, sums3;
  for (std::ptrdiff_t k = 0; k < n_in; k += 4, b += panel_width * 2) {
    fetch_ahead<panel_width * 2>(b, ahead);
    const Vectors weight = halves(b);
    sums0.add_products(a + k, weight);
    if constexpr (rows > 1) sums1.add_products(a + n_in + k, weight);
    if constexpr (rows > 2) sums2.add_products(a + 2 * n_in + k, weight);
    if constexpr (rows > 3) sums3.add_products(a + 3 * n_in + k, weight);
  }
  finish(sums0, parts[0], x, row, w, panel, out + row * stride);
  if constexpr (rows > 1) finish(sums1, parts[1], x, row + 1, w, panel, out + (row + 1) * stride);
  if constexpr (rows > 2) finish(sums2, parts[2], x, row + 2, w, panel, out + (row + 2) * stride);
  if constexpr (rows > 3) finish(sums3, parts[3], x, row + 3, w, panel, out + (row + 3) * stride);
}

// Computes the product of one output, whose inputs lie in fours with the panel's other outputs
// between them.
std::int32_t dot(const std::uint8_t* inputs, const std::int8_t* weight, int n_in) {
  const __m512i steps =
      _mm512_mullo_epi32(_mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                         _mm512_set1_epi32(4 * panel_width));
  __m512i sums = _mm512_setzero_si512();
  for (int k = 0; k < n_in; k += 64) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(k) * panel_width;
    const __m512i x = _mm512_loadu_si512(inputs + k);
    sums = _mm512_dpbusd_epi32(sums, x, _mm512_i32gather_epi32(steps, weight + at, 1));
  }
  return _mm512_reduce_add_epi32(sums);
}

}  // namespace

void gemm_int4_vnni(const Int8Rows& x, int rows, const Int4Matrix& weight, Panels panels,
                    float* out, std::ptrdiff_t stride) {
  // The first tile of a panel waits for memory. The others find the panel in the cache, and have
  // the time to fetch the next one.
  const std::ptrdiff_t panel_bytes = std::ptrdiff_t{panel_width} * weight.n_in / 2;
  constexpr int most_rows = 16;  // for which the weights are read once
  std::array<RowPart, most_rows> parts;
  for (int first = 0; first < rows; first += most_rows) {
    const int end = std::min(rows, first + most_rows);
    for (int row = first; row < end; ++row) {
      parts[static_cast<std::size_t>(row - first)] = part_of(x, row, weight);
    }
    for (int panel = panels.first; panel < panels.last; ++panel) {
      const RowPart* part = parts.data();
      std::ptrdiff_t ahead = fetch_distance;
      int row = first;
      for (; row + 4 <= end; row += 4, part += 4) {
        tile<4>(x, row, part, weight, panel, ahead, out, stride);
        ahead = panel_bytes;
      }
      if (end - row == 3) tile<3>(x, row, part, weight, panel, ahead, out, stride);
      if (end - row == 2) tile<2>(x, row, part, weight, panel, ahead, out, stride);
      if (end - row == 1) tile<1>(x, row, part, weight, panel, ahead, out, stride);
    }
  }
}

void refine_int8_vnni(const Int8Rows& x, int row, const Int8Matrix& weight,
                      std::span<const int> outputs, float* out) {
  const std::uint8_t* inputs = x.data + static_cast<std::ptrdiff_t>(row) * weight.n_in;
  const float scale = x.scale[row];
  const float shift = scale * x.zero[row];
  for (const int n : outputs) {
    const int panel = n / panel_width;
    const std::int8_t* first = weight.weight +
                               static_cast<std::ptrdiff_t>(panel) * panel_width * weight.n_in +
                               n % panel_width * 4;
    const auto sum = static_cast<float>(dot(inputs, first, weight.n_in));
    out[n] = sum * (scale * weight.scale[n]) + (weight.bias[n] - shift * weight.sum[n]);
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
