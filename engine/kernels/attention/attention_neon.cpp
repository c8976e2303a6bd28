#include <arm_neon.h>

#include <algorithm>
#include <array>
#include <limits>

#include "engine/kernels/attention/attention_math_neon.h"
#include "engine/kernels/attention/attention_tile.h"

namespace engine::kernels {
namespace {

constexpr int rows = tile_queries;
constexpr int width = 4;  // floats of a vector
constexpr int vectors =
    4;  // of a row's sums: with their factors and an input they fill the registers

// out[r, 4v..] = scale[r]·out[r, 4v..] + Σ_i left[r, 2i]·right[i, v].first
//                                      + left[r, 2i + 1]·right[i, v].second
//   left   [rows, 2·pairs], one row every left_stride
//   right  [pairs, vectors] of 4 pairs, at right_step from pair to pair
//   scale  [rows]; where it is null, out is only written
void multiply(const float* left, int left_stride, const Bfloat16* right, int right_step, int pairs,
              const float* scale, float* out, int out_stride) {
  float32x4_t sum[rows][vectors];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) {
      sum[r][v] = scale == nullptr
                      ? vdupq_n_f32(0)
                      : vmulq_n_f32(vld1q_f32(out + r * out_stride + v * width), scale[r]);
    }
  }
  for (int i = 0; i < pairs; ++i, left += 2, right += right_step) {
    float32x4_t factor[vectors];
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) factor[v] = first(load_4_pairs(right + v * 2 * width));
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const float32x2_t x = vld1_f32(left + r * left_stride);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] = vfmaq_lane_f32(sum[r][v], factor[v], x, 0);
    }
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) factor[v] = second(load_4_pairs(right + v * 2 * width));
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const float32x2_t x = vld1_f32(left + r * left_stride);
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) sum[r][v] = vfmaq_lane_f32(sum[r][v], factor[v], x, 1);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) vst1q_f32(out + r * out_stride + v * width, sum[r][v]);
  }
}

void score(TileState& tile, const std::byte* packed, int blocks) {
  const auto* keys = reinterpret_cast<const Bfloat16*>(packed);
  alignas(64) std::array<float, std::size_t{rows} * head_dim> queries;
  std::transform(tile.queries.begin(), tile.queries.begin() + queries.size(), queries.begin(),
                 to_float);
  for (int block = 0; block < blocks; ++block) {
    multiply(queries.data(), head_dim, keys + block * static_cast<int>(key_block_size),
             2 * key_lanes, head_dim / 2, nullptr, tile.scores.data() + block * key_lanes,
             tile_keys);
  }
}

float maximum_of(const float* scores, int end) {
  float32x4_t a = vld1q_f32(scores);
  float32x4_t b = vld1q_f32(scores + width);
  for (int i = 2 * width; i < end; i += 2 * width) {
    a = vmaxq_f32(a, vld1q_f32(scores + i));
    b = vmaxq_f32(b, vld1q_f32(scores + i + width));
  }
  return vmaxvq_f32(vmaxq_f32(a, b));
}

// Turns scores into probabilities, in place, and returns their sum.
float exponentiate(float* scores, int end, float maximum) {
  const float32x4_t offset = vdupq_n_f32(-maximum * log2_e);
  float32x4_t sum = vdupq_n_f32(0);
  for (int i = 0; i < end; i += width) {
    const float32x4_t p = exp2(vfmaq_n_f32(offset, vld1q_f32(scores + i), log2_e));
    sum = vaddq_f32(sum, p);
    vst1q_f32(scores + i, p);
  }
  return vaddvq_f32(sum);
}

void soften(TileState& tile, int n_key) {
  const int end = (n_key + 2 * width - 1) / (2 * width) * (2 * width);
  const std::array<float, 16> before = tile.maximum;
  for (int r = 0; r < rows; ++r) {
    float* row = tile.scores.data() + r * tile_keys;
    std::fill(row + n_key, row + end, -std::numeric_limits<float>::infinity());
    float& maximum = tile.maximum[static_cast<std::size_t>(r)];
    maximum = std::max(maximum, maximum_of(row, end));
  }
  for (int r = 0; r < rows; r += width) {
    const float32x4_t change =
        vsubq_f32(vld1q_f32(before.data() + r), vld1q_f32(tile.maximum.data() + r));
    const float32x4_t scale = exp2(vmulq_n_f32(change, log2_e));
    vst1q_f32(tile.scale.data() + r, scale);
    vst1q_f32(tile.sum.data() + r, vmulq_f32(scale, vld1q_f32(tile.sum.data() + r)));
  }
  for (int r = 0; r < rows; ++r) {
    tile.sum[static_cast<std::size_t>(r)] += exponentiate(
        tile.scores.data() + r * tile_keys, end, tile.maximum[static_cast<std::size_t>(r)]);
  }
}

void add_values(TileState& tile, const std::byte* packed, int pairs) {
  const auto* values = reinterpret_cast<const Bfloat16*>(packed);
  for (int dim = 0; dim < head_dim; dim += vectors * width) {
    multiply(tile.scores.data(), tile_keys, values + 2 * dim, 2 * head_dim, pairs,
             tile.scale.data(), tile.values.data() + dim, head_dim);
  }
}

}  // namespace

TileKernel tile_kernel_neon() {
  return {{key_block_size * sizeof(Bfloat16), pack_keys, nullptr, score},
          soften,
          sum_bfloat16(add_values)};
}

}  // namespace engine::kernels
