#pragma once

#include <arm_neon.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "engine/kernels/gemm/gemm.h"

#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod+i8mm+bf16")

// Products of packed matrices by the instructions that multiply eight bytes of two rows with those
// of two outputs. They are the same for all types of numbers: a panel has four bytes of inputs for
// each of 64 outputs, and two such steps make eight.
namespace engine::kernels {

constexpr int mmla_width = 4;  // outputs of a vector of weights, before two steps are put together
constexpr std::ptrdiff_t mmla_step = std::ptrdiff_t{panel_width} * 4;  // bytes
// The sums of eight rows by eight outputs, their inputs and weights fit into the 32 registers.
constexpr int mmla_pairs = 4;
constexpr int mmla_vectors = 2;

struct MmlaRows {
  const std::byte* data;
  std::ptrdiff_t stride;  // in bytes
};

// Returns eight bytes of both rows, or what there is of them and zeros.
[[gnu::always_inline]] inline uint8x16_t two_rows(const std::byte* first, const std::byte* second) {
  return vcombine_u8(vld1_u8(reinterpret_cast<const std::uint8_t*>(first)),
                     vld1_u8(reinterpret_cast<const std::uint8_t*>(second)));
}
[[gnu::always_inline]] inline uint8x16_t last_four(const std::byte* first,
                                                   const std::byte* second) {
  std::uint32_t fours[4] = {};
  std::memcpy(fours, first, 4);
  std::memcpy(fours + 2, second, 4);
  return vreinterpretq_u8_u32(vld1q_u32(fours));
}

[[gnu::always_inline]] inline uint32x4_t load_step(const std::byte* weights) {
  return vreinterpretq_u32_u8(vld1q_u8(reinterpret_cast<const std::uint8_t*>(weights)));
}

// Multiplies two steps of weights, of which the second may be zeros.
//   sums  [pairs, 2·vectors] of two rows by two outputs
template <class Products, int pairs, int vectors>
[[gnu::always_inline]] inline void multiply_steps(
    const uint8x16_t (&x)[pairs], const std::byte* weights, bool whole,
    typename Products::Sums (&sums)[pairs][2 * vectors]) {
#pragma GCC unroll 16
  for (int v = 0; v < vectors; ++v) {
    const std::byte* from = weights + v * 4 * mmla_width;
    const uint32x4_t first = load_step(from);
    const uint32x4_t second = whole ? load_step(from + mmla_step) : vdupq_n_u32(0);
    const uint8x16_t low = vreinterpretq_u8_u32(vzip1q_u32(first, second));
    const uint8x16_t high = vreinterpretq_u8_u32(vzip2q_u32(first, second));
#pragma GCC unroll 16
    for (int p = 0; p < pairs; ++p) {
      sums[p][2 * v] = Products::multiply(sums[p][2 * v], x[p], low);
      sums[p][2 * v + 1] = Products::multiply(sums[p][2 * v + 1], x[p], high);
    }
  }
}

// Computes rows [row, end), at most two for each pair: where there are fewer, the last one is
// computed again for nothing.
template <class Products, int pairs, int vectors, class Finish>
[[gnu::always_inline]] inline void multiply_mmla_tile(const MmlaRows& x, int row, int end,
                                                      const std::byte* weights,
                                                      std::ptrdiff_t bytes, int column,
                                                      Finish finish) {
  const std::byte* from[2 * pairs];
#pragma GCC unroll 16
  for (int r = 0; r < 2 * pairs; ++r) from[r] = x.data + std::min(row + r, end - 1) * x.stride;
  typename Products::Sums sums[pairs][2 * vectors];
#pragma GCC unroll 16
  for (int p = 0; p < pairs; ++p) {
#pragma GCC unroll 16
    for (int v = 0; v < 2 * vectors; ++v) sums[p][v] = typename Products::Sums{};
  }
  uint8x16_t two[pairs];
  std::ptrdiff_t at = 0;
  for (; at + 8 <= bytes; at += 8, weights += 2 * mmla_step) {
#pragma GCC unroll 16
    for (int p = 0; p < pairs; ++p) two[p] = two_rows(from[2 * p] + at, from[2 * p + 1] + at);
    multiply_steps<Products, pairs, vectors>(two, weights, true, sums);
  }
  if (at < bytes) {
#pragma GCC unroll 16
    for (int p = 0; p < pairs; ++p) two[p] = last_four(from[2 * p] + at, from[2 * p + 1] + at);
    multiply_steps<Products, pairs, vectors>(two, weights, false, sums);
  }
#pragma GCC unroll 16
  for (int p = 0; p < pairs; ++p) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) {
      const int to = column + v * mmla_width;
      if (row + 2 * p < end) {
        finish(Products::first_row(sums[p][2 * v], sums[p][2 * v + 1]), row + 2 * p, to);
      }
      if (row + 2 * p + 1 < end) {
        finish(Products::second_row(sums[p][2 * v], sums[p][2 * v + 1]), row + 2 * p + 1, to);
      }
    }
  }
}

// Multiplies rows with panels of a weight that has `bytes` of inputs for each output, and hands
// each row's sums of four outputs to finish(sums, row, column).
template <class Products, class Finish>
void multiply_mmla(const MmlaRows& x, int rows, const std::byte* weight, std::ptrdiff_t bytes,
                   Panels panels, Finish finish) {
  if (rows == 0) return;  // There is no last row for a tile to repeat.
  const auto weights_of = [&](int column) {
    return weight + column / panel_width * panel_width * bytes + column % panel_width * 4;
  };
  // One or two rows by themselves have half a panel, so that enough sums are under way.
  constexpr int many = panel_width / mmla_width / 2;
  const int end = panels.last * panel_width;
  if (rows <= 2) {
    for (int column = panels.first * panel_width; column < end; column += many * mmla_width) {
      multiply_mmla_tile<Products, 1, many>(x, 0, rows, weights_of(column), bytes, column, finish);
    }
    return;
  }
  for (int column = panels.first * panel_width; column < end; column += mmla_vectors * mmla_width) {
    const std::byte* weights = weights_of(column);
    int row = 0;
    for (; rows - row > 2; row += 2 * mmla_pairs) {
      multiply_mmla_tile<Products, mmla_pairs, mmla_vectors>(
          x, row, std::min(rows, row + 2 * mmla_pairs), weights, bytes, column, finish);
    }
    if (row < rows) {
      multiply_mmla_tile<Products, 1, mmla_vectors>(x, row, rows, weights, bytes, column, finish);
    }
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
