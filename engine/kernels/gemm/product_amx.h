#pragma once

#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/kernels/fetch_ahead_x86.h"
#include "engine/kernels/gemm/gemm.h"
#include "engine/kernels/tiles_amx.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,amx-tile,amx-int8,amx-bf16")

// Products of packed matrices in tiles. They are the same for all types of numbers: 64 bytes of a
// row meet 16 rows of a panel, each of which has four bytes of inputs for each of 64 outputs. Sums
// are of 32 bits.
namespace engine::kernels {

constexpr int product_columns = 32;  // outputs of two tiles
constexpr std::ptrdiff_t panel_row_bytes = std::ptrdiff_t{panel_width} * 4;
constexpr std::ptrdiff_t panel_step_bytes = tile_rows * panel_row_bytes;

// The instructions that multiply tile 4, or both 4 and 5, with 6 and 7.
struct Int8Products {
  using Sum = std::int32_t;
  [[gnu::always_inline]] static void multiply_one() {
    _tile_dpbusd(0, 4, 6);
    _tile_dpbusd(1, 4, 7);
  }
  [[gnu::always_inline]] static void multiply_two() {
    multiply_one();
    _tile_dpbusd(2, 5, 6);
    _tile_dpbusd(3, 5, 7);
  }
};

struct Bfloat16Products {
  using Sum = float;
  [[gnu::always_inline]] static void multiply_one() {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
  }
  [[gnu::always_inline]] static void multiply_two() {
    multiply_one();
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
};

struct ByteRows {
  const std::byte* data;
  std::ptrdiff_t stride;  // in bytes

  const std::byte* from(int row) const { return data + row * stride; }
};

// The last inputs of rows and weights where they do not fill a tile, with zeros behind them.
struct alignas(64) Remainder {
  std::byte first[tile_rows * tile_bytes];
  std::byte second[tile_rows * tile_bytes];
  std::byte weight[tile_rows * 2 * tile_bytes];

  Remainder(const std::byte* first_rows, const std::byte* second_rows, std::ptrdiff_t stride,
            int rows, const std::byte* weights, std::ptrdiff_t bytes) {
    std::memset(this, 0, sizeof(*this));
    const auto count = static_cast<std::size_t>(bytes);
    for (int row = 0; row < rows; ++row) {
      std::memcpy(first + row * tile_bytes, first_rows + row * stride, count);
      std::memcpy(second + row * tile_bytes, second_rows + row * stride, count);
    }
    for (std::ptrdiff_t row = 0; row < bytes / 4; ++row) {
      std::memcpy(weight + row * 2 * tile_bytes, weights + row * panel_row_bytes, 2 * tile_bytes);
    }
    finish_writes();
  }
};

template <class Products, bool two>
[[gnu::always_inline]] inline void multiply_step(const std::byte* first, const std::byte* second,
                                                 std::ptrdiff_t stride, const std::byte* weight,
                                                 std::ptrdiff_t weight_stride) {
  _tile_loadd(6, weight, weight_stride);
  _tile_loadd(7, weight + tile_bytes, weight_stride);
  _tile_loadd(4, first, stride);
  if constexpr (two) {
    _tile_loadd(5, second, stride);
    Products::multiply_two();
  } else {
    Products::multiply_one();
  }
}

// Sums that were computed, of up to 32 rows and 32 columns, and not finished yet: what is done with
// them takes as long as multiplying and other parts of the core, so it is done a few rows at a time
// between the products of the next ones.
template <class Sum, class Finish>
class Pending {
 public:
  explicit Pending(Finish finish) : finish_(finish) {}

  // Returns room [32, 32] for new sums, which is not that of those pending.
  Sum* room() { return sums_[1 - current_]; }
  // Takes what was written to the room: its first row is `first`, and [begin, end) are to be
  // finished.
  void take(int first, int begin, int end, int column) {
    current_ = 1 - current_;
    first_ = first;
    next_ = begin;
    end_ = end;
    column_ = column;
  }
  [[gnu::always_inline]] void finish(int rows) {
    for (const int end = std::min(end_, next_ + rows); next_ < end; ++next_) {
      finish_(sums_[current_] + (next_ - first_) * product_columns, next_, column_);
    }
  }
  [[gnu::always_inline]] void finish() { finish(end_ - next_); }

 private:
  alignas(64) Sum sums_[2][2 * tile_rows * product_columns];
  Finish finish_;
  int current_ = 0;
  int first_ = 0;
  int next_ = 0;
  int end_ = 0;
  int column_ = 0;
};

// One or two tiles of rows, the second of which may begin within the first.
struct TileRows {
  int first;
  int second;
  int count;  // in each of them
};

// `fetches` says that the weights come from memory: nothing has met those of this panel yet.
template <class Products, bool two, class Pending>
void multiply_tiles(const ByteRows& x, const TileRows& rows, const std::byte* weight,
                    std::ptrdiff_t bytes, bool fetches, Pending& pending) {
  _tile_zero(0);
  _tile_zero(1);
  if constexpr (two) {
    _tile_zero(2);
    _tile_zero(3);
  }
  const std::byte* first = x.from(rows.first);
  const std::byte* second = x.from(rows.second);
  const auto steps = static_cast<int>(std::max(bytes / tile_bytes, std::ptrdiff_t{1}));
  const int share = (2 * tile_rows + steps - 1) / steps;
  std::ptrdiff_t at = 0;
  for (; at + tile_bytes <= bytes; at += tile_bytes, weight += panel_step_bytes) {
    if (!two && fetches) fetch_ahead<panel_step_bytes>(weight);
    multiply_step<Products, two>(first + at, second + at, x.stride, weight, panel_row_bytes);
    pending.finish(share);
  }
  if (at < bytes) {
    const Remainder rest(first + at, second + at, x.stride, rows.count, weight, bytes - at);
    multiply_step<Products, two>(rest.first, rest.second, tile_bytes, rest.weight, 2 * tile_bytes);
  }
  pending.finish();
  auto* to = reinterpret_cast<std::byte*>(pending.room());
  constexpr std::ptrdiff_t sum_stride = 2 * tile_bytes;
  _tile_stored(0, to, sum_stride);
  _tile_stored(1, to + tile_bytes, sum_stride);
  if constexpr (two) {
    to += (rows.second - rows.first) * sum_stride;
    _tile_stored(2, to, sum_stride);
    _tile_stored(3, to + tile_bytes, sum_stride);
  }
}

// Multiplies rows with panels of a weight that has `bytes` of inputs for each output, and hands
// each row's sums of 32 outputs to finish(sums, row, column).
template <class Products, class Finish>
void multiply_panels(const ByteRows& x, int rows, const std::byte* weight, std::ptrdiff_t bytes,
                     Panels panels, Finish finish) {
  if (rows == 0) return;  // The CPU refuses tiles of no rows.
  const int tile = std::min(rows, tile_rows);
  const TileScope tiles(tile);
  Pending<typename Products::Sum, Finish> pending(finish);
  for (int column = panels.first * panel_width; column < panels.last * panel_width;
       column += product_columns) {
    const std::byte* w =
        weight + column / panel_width * panel_width * bytes + column % panel_width * 4;
    const bool fetches = rows <= tile && column % panel_width == 0;
    for (int row = 0; row < rows; row += 2 * tile) {
      // A tile that would reach beyond the last row begins earlier, and its first rows are computed
      // for nothing.
      const TileRows at{std::min(row, rows - tile), std::min(row + tile, rows - tile), tile};
      if (row + tile < rows) {
        multiply_tiles<Products, true>(x, at, w, bytes, fetches, pending);
      } else {
        multiply_tiles<Products, false>(x, at, w, bytes, fetches, pending);
      }
      pending.take(at.first, row, std::min(row + 2 * tile, rows), column);
    }
  }
  pending.finish();
}

}  // namespace engine::kernels

#pragma GCC pop_options
