#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/kernels/attention/attention_math_avx2.h"
#include "engine/kernels/fetch_ahead_x86.h"
#include "engine/kernels/top_logits/preselection.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

constexpr int width = 8;                                                // outputs of a vector
constexpr std::ptrdiff_t step_bytes = std::ptrdiff_t{panel_width} * 2;  // of four inputs
// 16 bits hold the sums of so many fours of inputs: 8·255·15 < 2^15.
constexpr int steps_of_16_bits = 4;

// The part that a row adds to each of its products.
struct RowPart {
  std::int32_t surplus = 0;  // of the weights' + 8
  float mean = 0;            // x·mean
};

RowPart part_of(const Int8Rows& x, int row, const Int4Matrix& w) {
  const std::uint8_t* inputs = x.data + static_cast<std::ptrdiff_t>(row) * w.n_in;
  const __m256 zero = _mm256_set1_ps(x.zero[row]);
  __m256i sum = _mm256_setzero_si256();
  __m256 product = _mm256_setzero_ps();
  int k = 0;
  for (; k + width <= w.n_in; k += width) {
    const __m256i q =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(inputs + k)));
    sum = _mm256_add_epi32(sum, q);
    product = _mm256_fmadd_ps(_mm256_sub_ps(_mm256_cvtepi32_ps(q), zero),
                              _mm256_loadu_ps(w.mean + k), product);
  }
  std::array<std::int32_t, width> sums;
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums.data()), sum);
  RowPart part{0, add_lanes(product)};
  for (const std::int32_t lane : sums) part.surplus += 8 * lane;
  for (; k < w.n_in; ++k) {
    part.surplus += 8 * inputs[k];
    part.mean += (static_cast<float>(inputs[k]) - x.zero[row]) * w.mean[k];
  }
  part.mean *= x.scale[row];
  return part;
}

[[gnu::always_inline]] inline __m256i four_inputs(const std::uint8_t* inputs) {
  std::int32_t four;
  std::memcpy(&four, inputs, sizeof(four));
  return _mm256_set1_epi32(four);
}

void finish(__m256i sums, const RowPart& part, const Int8Rows& x, int row, const Int4Matrix& w,
            int column, float* out) {
  const __m256 scale = _mm256_set1_ps(x.scale[row]);
  const __m256 shift = _mm256_set1_ps(x.scale[row] * x.zero[row]);
  const __m256 rest =
      _mm256_fnmadd_ps(shift, _mm256_loadu_ps(w.sum + column), _mm256_set1_ps(part.mean));
  const __m256 factor = _mm256_mul_ps(scale, _mm256_loadu_ps(w.scale + column));
  const __m256i product = _mm256_sub_epi32(sums, _mm256_set1_epi32(part.surplus));
  _mm256_storeu_ps(out + column, _mm256_fmadd_ps(_mm256_cvtepi32_ps(product), factor, rest));
}

// Computes the outputs of `loads` vectors of a panel's weights, from the one `first` on, each of
// which has eight outputs in its lower halves of bytes and eight in its upper ones. A tile that
// `fetches` asks for all of what its panel has a page ahead.
template <int rows, int loads, bool fetches>
void tile(const Int8Rows& x, int row, const RowPart* parts, const Int4Matrix& w, int panel,
          int first, float* out, std::ptrdiff_t stride) {
  const std::ptrdiff_t n_in = w.n_in;
  const std::uint8_t* a = x.data + row * n_in;
  const std::uint8_t* b = w.weight + panel * panel_width * n_in / 2 + first * 4 * width;
  const __m256i low = _mm256_set1_epi8(15);
  __m256i sums[rows][2 * loads];
#pragma GCC unroll 8
  for (auto& of_row : sums) {
#pragma GCC unroll 8
    for (auto& sum : of_row) sum = _mm256_setzero_si256();
  }
  for (std::ptrdiff_t k = 0; k < n_in;) {
    __m256i narrow[rows][2 * loads];
#pragma GCC unroll 8
    for (auto& of_row : narrow) {
#pragma GCC unroll 8
      for (auto& sum : of_row) sum = _mm256_setzero_si256();
    }
    const std::ptrdiff_t end = std::min(n_in, k + 4 * steps_of_16_bits);
    for (; k < end; k += 4, b += step_bytes) {
      if constexpr (fetches) fetch_ahead<step_bytes>(b);
#pragma GCC unroll 8
      for (int v = 0; v < loads; ++v) {
        const __m256i both =
            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(b + v * 4 * width));
        const __m256i lower = _mm256_and_si256(both, low);
        const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(both, 4), low);
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
          const __m256i in = four_inputs(a + r * n_in + k);
          narrow[r][2 * v] = _mm256_add_epi16(narrow[r][2 * v], _mm256_maddubs_epi16(in, lower));
          narrow[r][2 * v + 1] =
              _mm256_add_epi16(narrow[r][2 * v + 1], _mm256_maddubs_epi16(in, upper));
        }
      }
    }
    const __m256i ones = _mm256_set1_epi16(1);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
      for (int v = 0; v < 2 * loads; ++v) {
        sums[r][v] = _mm256_add_epi32(sums[r][v], _mm256_madd_epi16(narrow[r][v], ones));
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < loads; ++v) {
      // The first two vectors hold outputs 0 to 31, the others 32 to 63.
      const int at = first + v;
      const int column = panel * panel_width + at / 2 * 32 + at % 2 * width;
      float* to = out + (row + r) * stride;
      finish(sums[r][2 * v], parts[r], x, row + r, w, column, to);
      finish(sums[r][2 * v + 1], parts[r], x, row + r, w, column + 16, to);
    }
  }
}

// One row has half a panel at a time, two have a vector of weights: that fills the registers.
// `is_first` says that the panel comes from memory.
template <int rows>
void panel_of(const Int8Rows& x, int row, const RowPart* parts, const Int4Matrix& w, int panel,
              bool is_first, float* out, std::ptrdiff_t stride) {
  constexpr int loads = rows == 1 ? 2 : 1;
  if (is_first) {
    tile<rows, loads, true>(x, row, parts, w, panel, 0, out, stride);
  } else {
    tile<rows, loads, false>(x, row, parts, w, panel, 0, out, stride);
  }
  for (int first = loads; first < 4; first += loads) {
    tile<rows, loads, false>(x, row, parts, w, panel, first, out, stride);
  }
}

// Computes the product of one output, whose inputs lie in fours with the panel's other outputs
// between them.
std::int32_t dot(const std::uint8_t* inputs, const std::int8_t* weight, int n_in) {
  const __m256i steps = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7),
                                           _mm256_set1_epi32(4 * panel_width));
  __m256i sums = _mm256_setzero_si256();
  for (int k = 0; k < n_in; k += 32) {
    const auto* at =
        reinterpret_cast<const int*>(weight + static_cast<std::ptrdiff_t>(k) * panel_width);
    const __m256i w = _mm256_i32gather_epi32(at, steps, 1);
    const auto wide_inputs = [&](int i) {
      return _mm256_cvtepu8_epi16(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(inputs + k + i)));
    };
    const __m256i first = _mm256_cvtepi8_epi16(_mm256_castsi256_si128(w));
    const __m256i second = _mm256_cvtepi8_epi16(_mm256_extracti128_si256(w, 1));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(wide_inputs(0), first));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(wide_inputs(16), second));
  }
  __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
  return _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1)));
}

}  // namespace

void gemm_int4_avx2(const Int8Rows& x, int rows, const Int4Matrix& weight, Panels panels,
                    float* out, std::ptrdiff_t stride) {
  constexpr int most_rows = 16;  // for which the weights are read once
  std::array<RowPart, most_rows> parts;
  for (int first = 0; first < rows; first += most_rows) {
    const int end = std::min(rows, first + most_rows);
    for (int row = first; row < end; ++row) {
      parts[static_cast<std::size_t>(row - first)] = part_of(x, row, weight);
    }
    for (int panel = panels.first; panel < panels.last; ++panel) {
      const RowPart* part = parts.data();
      int row = first;
      for (; row + 2 <= end; row += 2, part += 2) {
        panel_of<2>(x, row, part, weight, panel, row == first, out, stride);
      }
      if (row < end) panel_of<1>(x, row, part, weight, panel, row == first, out, stride);
    }
  }
}

void refine_int8_avx2(const Int8Rows& x, int row, const Int8Matrix& weight,
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
