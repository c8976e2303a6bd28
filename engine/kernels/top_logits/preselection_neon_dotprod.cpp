#include <arm_neon.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/kernels/top_logits/preselection.h"

#pragma GCC push_options
#pragma GCC target("arch=armv8.2-a+dotprod")

namespace engine::kernels {
namespace {

constexpr int width = 4;    // outputs of a vector of weights in eight bits
constexpr int inputs = 16;  // of a row that a vector holds
constexpr std::ptrdiff_t step_bytes = std::ptrdiff_t{panel_width} * 2;  // of four inputs

// The part that a row adds to each of its products.
struct RowPart {
  std::uint32_t surplus;  // of the weights' + 8
  float mean;             // x·mean
};

RowPart part_of(const Int8Rows& x, int row, const Int4Matrix& w) {
  const std::uint8_t* in = x.data + static_cast<std::ptrdiff_t>(row) * w.n_in;
  const float32x4_t zero = vdupq_n_f32(x.zero[row]);
  uint32x4_t sum = vdupq_n_u32(0);
  float32x4_t product = vdupq_n_f32(0);
  for (int k = 0; k < w.n_in; k += 4) {
    std::uint32_t four;
    std::memcpy(&four, in + k, sizeof(four));
    const uint32x4_t q = vmovl_u16(vget_low_u16(vmovl_u8(vreinterpret_u8_u32(vdup_n_u32(four)))));
    sum = vaddq_u32(sum, q);
    product = vfmaq_f32(product, vsubq_f32(vcvtq_f32_u32(q), zero), vld1q_f32(w.mean + k));
  }
  return {8 * vaddvq_u32(sum), x.scale[row] * vaddvq_f32(product)};
}

// Multiplies one four of each row's inputs with the weights of `loads` vectors, in each of which
// there are eight outputs in four bits.
//   sums  [rows, 2·loads]: the lower half's and the upper half's, in turn
template <int four, int rows, int loads>
[[gnu::always_inline]] inline void add_products(const std::uint8_t* weights,
                                                const uint8x16_t (&x)[rows],
                                                uint32x4_t (&sums)[rows][2 * loads]) {
#pragma GCC unroll 16
  for (int v = 0; v < loads; ++v) {
    const uint8x16_t both = vld1q_u8(weights + four * step_bytes + v * 4 * width);
    const uint8x16_t low = vandq_u8(both, vdupq_n_u8(15));
    const uint8x16_t high = vshrq_n_u8(both, 4);
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      sums[r][2 * v] = vdotq_laneq_u32(sums[r][2 * v], low, x[r], four);
      sums[r][2 * v + 1] = vdotq_laneq_u32(sums[r][2 * v + 1], high, x[r], four);
    }
  }
}

void finish(uint32x4_t sums, const RowPart& part, const Int8Rows& x, int row, const Int4Matrix& w,
            int column, float* out) {
  const float32x4_t scale = vdupq_n_f32(x.scale[row]);
  const float32x4_t shift = vdupq_n_f32(x.scale[row] * x.zero[row]);
  const float32x4_t rest = vfmsq_f32(vdupq_n_f32(part.mean), shift, vld1q_f32(w.sum + column));
  const float32x4_t factor = vmulq_f32(scale, vld1q_f32(w.scale + column));
  // The difference has a sign, and is right modulo 2^32.
  const int32x4_t product = vreinterpretq_s32_u32(vsubq_u32(sums, vdupq_n_u32(part.surplus)));
  vst1q_f32(out + column, vfmaq_f32(rest, vcvtq_f32_s32(product), factor));
}

// Computes the outputs of `loads` vectors of a panel's weights, from the one `first` on.
template <int rows, int loads>
void tile(const Int8Rows& x, int row, const RowPart* parts, const Int4Matrix& w, int panel,
          int first, float* out, std::ptrdiff_t stride) {
  const std::ptrdiff_t n_in = w.n_in;
  const std::uint8_t* a = x.data + row * n_in;
  const std::uint8_t* b = w.weight + panel * panel_width * n_in / 2 + first * 4 * width;
  uint32x4_t sums[rows][2 * loads];
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < 2 * loads; ++v) sums[r][v] = vdupq_n_u32(0);
  }
  uint8x16_t in[rows];
  std::ptrdiff_t k = 0;
  for (; k + inputs <= n_in; k += inputs, b += inputs / 4 * step_bytes) {
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) in[r] = vld1q_u8(a + r * n_in + k);
    add_products<0, rows, loads>(b, in, sums);
    add_products<1, rows, loads>(b, in, sums);
    add_products<2, rows, loads>(b, in, sums);
    add_products<3, rows, loads>(b, in, sums);
  }
  for (; k < n_in; k += 4, b += step_bytes) {
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      std::uint32_t four;
      std::memcpy(&four, a + r * n_in + k, sizeof(four));
      in[r] = vreinterpretq_u8_u32(vdupq_n_u32(four));
    }
    add_products<0, rows, loads>(b, in, sums);
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; ++r) {
    float* to = out + (row + r) * stride;
    for (int v = 0; v < loads; ++v) {
      // The first four vectors hold outputs 0 to 31, the others 32 to 63.
      const int at = first + v;
      const int column = panel * panel_width + at / 4 * 32 + at % 4 * width;
      finish(sums[r][2 * v], parts[r], x, row + r, w, column, to);
      finish(sums[r][2 * v + 1], parts[r], x, row + r, w, column + 16, to);
    }
  }
}

// One row by itself has a whole panel, and two vectors of weights meet up to four rows: their 16
// sums are enough under way.
template <int rows>
void panel_of(const Int8Rows& x, int row, const RowPart* parts, const Int4Matrix& w, int panel,
              float* out, std::ptrdiff_t stride) {
  constexpr int loads = rows == 1 ? 8 : 2;
  for (int first = 0; first < 8; first += loads) {
    tile<rows, loads>(x, row, parts, w, panel, first, out, stride);
  }
}

// Computes 128 more for each weight than the product of one output, whose inputs lie in fours with
// the panel's other outputs between them, and 128 times the sum of the inputs: the difference.
std::int32_t dot(const std::uint8_t* x, const std::int8_t* weight, int n_in) {
  uint32x4_t products = vdupq_n_u32(0);
  uint32x4_t surplus = vdupq_n_u32(0);
  for (int k = 0; k < n_in; k += inputs) {
    std::uint32_t fours[4];
    for (int i = 0; i < 4; ++i) {
      std::memcpy(fours + i, weight + static_cast<std::ptrdiff_t>(k + 4 * i) * panel_width, 4);
    }
    const uint8x16_t larger = veorq_u8(vreinterpretq_u8_u32(vld1q_u32(fours)), vdupq_n_u8(0x80));
    const uint8x16_t in = vld1q_u8(x + k);
    products = vdotq_u32(products, in, larger);
    surplus = vdotq_u32(surplus, in, vdupq_n_u8(0x80));
  }
  return static_cast<std::int32_t>(vaddvq_u32(products) - vaddvq_u32(surplus));
}

}  // namespace

void gemm_int4_neon_dotprod(const Int8Rows& x, int rows, const Int4Matrix& weight, Panels panels,
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
      for (; row + 4 <= end; row += 4, part += 4) {
        panel_of<4>(x, row, part, weight, panel, out, stride);
      }
      if (end - row == 3) panel_of<3>(x, row, part, weight, panel, out, stride);
      if (end - row == 2) panel_of<2>(x, row, part, weight, panel, out, stride);
      if (end - row == 1) panel_of<1>(x, row, part, weight, panel, out, stride);
    }
  }
}

void refine_int8_neon_dotprod(const Int8Rows& x, int row, const Int8Matrix& weight,
                              std::span<const int> outputs, float* out) {
  const std::uint8_t* in = x.data + static_cast<std::ptrdiff_t>(row) * weight.n_in;
  const float scale = x.scale[row];
  const float shift = scale * x.zero[row];
  for (const int n : outputs) {
    const std::ptrdiff_t panel = n / panel_width;
    const std::int8_t* first =
        weight.weight + panel * panel_width * weight.n_in + n % panel_width * 4;
    const auto sum = static_cast<float>(dot(in, first, weight.n_in));
    out[n] = sum * (scale * weight.scale[n]) + (weight.bias[n] - shift * weight.sum[n]);
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
