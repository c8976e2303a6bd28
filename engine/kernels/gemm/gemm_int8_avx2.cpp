#include <immintrin.h>

#include <algorithm>

#include "engine/kernels/fetch_ahead_x86.h"
#include "engine/kernels/gemm/finish_int8_avx2.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/gemm/row_parts.h"
#include "engine/kernels/gemm/store_switch.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

// Without VNNI the products of bytes would overflow where pairs of them are added, so both sides
// are widened to 16 bits first: a row's inputs once for a panel, weights as they are loaded.
constexpr int width = 4;  // outputs of a vector, which holds two partial sums of each
// The sums of six rows by eight outputs, their weights, an input and a product fill the 16
// registers.
constexpr int tile_rows = 6;
constexpr int tile_vectors = 2;
// The room for rows that are widened is for six of the widest layer of Whisper; of longer ones
// there are fewer.
constexpr int wide_inputs = tile_rows * 5120;
static_assert(wide_inputs >= most_inputs);

[[gnu::always_inline]] inline __m256i four_outputs(const std::int8_t* weights) {
  return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(weights)));
}

[[gnu::always_inline]] inline __m256i four_inputs(const std::int16_t* inputs) {
  std::int64_t four;
  __builtin_memcpy(&four, inputs, sizeof(four));
  return _mm256_set1_epi64x(four);
}

// Returns the sums of eight outputs from their partial ones, in order.
[[gnu::always_inline]] inline __m256i joined(__m256i first, __m256i second) {
  return _mm256_permute4x64_epi64(_mm256_hadd_epi32(first, second), 0xD8);
}

void widen(const std::uint8_t* inputs, int count, std::int16_t* wide) {
  int i = 0;
  for (; i + 16 <= count; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(inputs + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(wide + i), _mm256_cvtepu8_epi16(bytes));
  }
  for (; i < count; ++i) wide[i] = inputs[i];
}

// Rows of activations that have been widened, from `row` of all of them on.
struct WideRows {
  const Int8Rows& x;
  int row;
  const std::int16_t* data;  // [rows, n_in]
};

// A tile reads a part of each of a panel's lines, which is slow where they come from memory, so the
// first tile fetches all of them.
template <Store store, int rows, int vectors, bool is_first>
void tile(const WideRows& wide, const Int8Matrix& w, int column, const Output& out) {
  const std::ptrdiff_t n_in = w.n_in;
  const std::int16_t* a = wide.data;
  const std::int8_t* b =
      w.weight + column / panel_width * panel_width * n_in + column % panel_width * 4;
  __m256i sums[rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sums[r][v] = _mm256_setzero_si256();
  }
  for (std::ptrdiff_t k = 0; k < n_in; k += 4, b += panel_width * 4) {
    if constexpr (is_first) fetch_ahead<panel_width * 4>(b);
    if constexpr (rows == 1) {  // eight vectors of weights and of sums are too many at a time
      const __m256i four = four_inputs(a + k);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        const __m256i weight = four_outputs(b + v * width * 4);
        sums[0][v] = _mm256_add_epi32(sums[0][v], _mm256_madd_epi16(four, weight));
      }
      continue;
    }
    __m256i weight[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) weight[v] = four_outputs(b + v * width * 4);
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const __m256i four = four_inputs(a + r * n_in + k);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        sums[r][v] = _mm256_add_epi32(sums[r][v], _mm256_madd_epi16(four, weight[v]));
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v += 2) {
      finish<store>(joined(sums[r][v], sums[r][v + 1]), wide.x, wide.row + r, w, column + v * width,
                    out);
    }
  }
}

// Computes a panel for some rows.
template <Store store, int rows>
void panel_of(const WideRows& wide, const Int8Matrix& w, int panel, const Output& out) {
  // One or two rows have more vectors at a time, so that enough sums are under way.
  constexpr int vectors = rows == 1 ? 8 : rows == 2 ? 4 : tile_vectors;
  const int column = panel * panel_width;
  if (wide.row == 0) {
    tile<store, rows, vectors, true>(wide, w, column, out);
  } else {
    tile<store, rows, vectors, false>(wide, w, column, out);
  }
  for (int i = vectors * width; i < panel_width; i += vectors * width) {
    tile<store, rows, vectors, false>(wide, w, column + i, out);
  }
}

template <Store store>
void panel_of(int rows, const WideRows& wide, const Int8Matrix& w, int panel, const Output& out) {
  switch (rows) {
    case 1:
      return panel_of<store, 1>(wide, w, panel, out);
    case 2:
      return panel_of<store, 2>(wide, w, panel, out);
    case 3:
      return panel_of<store, 3>(wide, w, panel, out);
    case 4:
      return panel_of<store, 4>(wide, w, panel, out);
    case 5:
      return panel_of<store, 5>(wide, w, panel, out);
    default:
      return panel_of<store, tile_rows>(wide, w, panel, out);
  }
}

}  // namespace

void gemm_int8_avx2(const Int8Rows& x, int rows, const Int8Matrix& weight, Panels panels,
                    const Output& out) {
  alignas(64) std::int16_t wide[wide_inputs];
  const int most_rows = std::min(wide_inputs / weight.n_in, tile_rows);
  with_store(out.store, [&]<Store store>() {
    for (int panel = panels.first; panel < panels.last; ++panel) {
      for (int row = 0; row < rows;) {
        const int some = even_part(rows - row, most_rows);
        widen(x.data + std::ptrdiff_t{row} * weight.n_in, some * weight.n_in, wide);
        panel_of<store>(some, {x, row, wide}, weight, panel, out);
        row += some;
      }
    }
  });
}

}  // namespace engine::kernels

#pragma GCC pop_options
