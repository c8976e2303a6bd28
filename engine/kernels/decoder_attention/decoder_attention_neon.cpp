#include <arm_neon.h>

#include <algorithm>
#include <limits>

#include "engine/kernels/attention/attention_math_neon.h"
#include "engine/kernels/decoder_attention/decoder_attention_kernel.h"

namespace engine::kernels {
namespace {

constexpr int width = 4;
constexpr int block_vectors = key_lanes / width;

// The even and the odd dimensions have sums of their own, so that enough are under way.
template <int rows>
void score_rows(const Bfloat16* keys, const float* queries, int blocks, float* scores,
                std::ptrdiff_t stride) {
  for (int block = 0; block < blocks; ++block, scores += key_lanes) {
    float32x4_t even[rows][block_vectors];
    float32x4_t odd[rows][block_vectors];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
      for (int v = 0; v < block_vectors; ++v) even[r][v] = odd[r][v] = vdupq_n_f32(0);
    }
    for (int dim = 0; dim < head_dim; dim += 2, keys += 2 * key_lanes) {
      float32x2_t x[rows];
#pragma GCC unroll 8
      for (int r = 0; r < rows; ++r) x[r] = vld1_f32(queries + r * head_dim + dim);
#pragma GCC unroll 8
      for (int v = 0; v < block_vectors; ++v) {
        const uint32x4_t pairs = load_4_pairs(keys + v * 2 * width);
#pragma GCC unroll 8
        for (int r = 0; r < rows; ++r) {
          even[r][v] = vfmaq_lane_f32(even[r][v], first(pairs), x[r], 0);
          odd[r][v] = vfmaq_lane_f32(odd[r][v], second(pairs), x[r], 1);
        }
      }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
      for (int v = 0; v < block_vectors; ++v) {
        vst1q_f32(scores + r * stride + v * width, vaddq_f32(even[r][v], odd[r][v]));
      }
    }
  }
}

void score(const HeadKv& kv, const float* queries, int rows, int blocks, float* scores,
           std::ptrdiff_t stride) {
  const auto* keys = static_cast<const Bfloat16*>(kv.keys);
  if (rows == 1) {
    score_rows<1>(keys, queries, blocks, scores, stride);
  } else {
    score_rows<2>(keys, queries, blocks, scores, stride);
  }
}

float soften(float* scores, int n_key, int end) {
  std::fill(scores + n_key, scores + end, -std::numeric_limits<float>::infinity());
  float32x4_t maximum = vld1q_f32(scores);
  for (int i = width; i < end; i += width) maximum = vmaxq_f32(maximum, vld1q_f32(scores + i));
  const float32x4_t offset = vdupq_n_f32(vmaxvq_f32(maximum));
  float32x4_t sum = vdupq_n_f32(0);
  for (int i = 0; i < end; i += width) {
    const float32x4_t below = vsubq_f32(vld1q_f32(scores + i), offset);
    const float32x4_t p = exp2(vmulq_n_f32(below, log2_e));
    sum = vaddq_f32(sum, p);
    vst1q_f32(scores + i, p);
  }
  std::fill(scores + n_key, scores + end, 0.0F);
  return vaddvq_f32(sum);
}

// Sums the values for one row: its 16 vectors are half of the registers.
void sum_row(const Bfloat16* values, const float* weights, int blocks, float* out) {
  constexpr int vectors = head_dim / width;
  float32x4_t sum[vectors];
#pragma GCC unroll 16
  for (auto& lanes : sum) lanes = vdupq_n_f32(0);
  for (int key = 0; key < blocks * key_lanes; key += 2, values += 2 * head_dim) {
    const float32x2_t x = vld1_f32(weights + key);
#pragma GCC unroll 16
    for (int v = 0; v < vectors; ++v) {
      const uint32x4_t pairs = load_4_pairs(values + v * 2 * width);
      sum[v] = vfmaq_lane_f32(sum[v], first(pairs), x, 0);
      sum[v] = vfmaq_lane_f32(sum[v], second(pairs), x, 1);
    }
  }
#pragma GCC unroll 16
  for (int v = 0; v < vectors; ++v) vst1q_f32(out + v * width, sum[v]);
}

void sum_values(const HeadKv& kv, const float* scores, std::ptrdiff_t stride, int rows, int blocks,
                float* out) {
  const auto* values = static_cast<const Bfloat16*>(kv.values);
  for (int r = 0; r < rows; ++r) {
    sum_row(values, scores + r * stride, blocks, out + r * head_dim);
  }
}

}  // namespace

KvKernel kv_kernel_bfloat16_neon() {
  return {score, soften, sum_values};
}

}  // namespace engine::kernels
