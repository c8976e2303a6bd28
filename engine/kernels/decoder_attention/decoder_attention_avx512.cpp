#include <immintrin.h>

#include <algorithm>
#include <limits>

#include "engine/kernels/attention/attention_math_avx512.h"
#include "engine/kernels/decoder_attention/decoder_attention_kernel.h"

#pragma GCC push_options
#pragma GCC target("avx512f")

namespace engine::kernels {
namespace {

constexpr int width = 16;

// Four sums a row are under way, to hide the latency of one.
template <int rows>
void score_rows(const Bfloat16* keys, const float* queries, int blocks, float* scores,
                std::ptrdiff_t stride) {
  for (int block = 0; block < blocks; ++block, scores += width) {
    __m512 sum[rows][4];
#pragma GCC unroll 8
    for (auto& row : sum) {
#pragma GCC unroll 8
      for (auto& lanes : row) lanes = _mm512_setzero_ps();
    }
    for (int dim = 0; dim < head_dim; dim += 4, keys += 4 * key_lanes) {
      const __m512i a = load_16_pairs(keys);
      const __m512i b = load_16_pairs(keys + 2 * key_lanes);
#pragma GCC unroll 8
      for (int r = 0; r < rows; ++r) {
        const float* query = queries + r * head_dim + dim;
        sum[r][0] = _mm512_fmadd_ps(_mm512_set1_ps(query[0]), first(a), sum[r][0]);
        sum[r][1] = _mm512_fmadd_ps(_mm512_set1_ps(query[1]), second(a), sum[r][1]);
        sum[r][2] = _mm512_fmadd_ps(_mm512_set1_ps(query[2]), first(b), sum[r][2]);
        sum[r][3] = _mm512_fmadd_ps(_mm512_set1_ps(query[3]), second(b), sum[r][3]);
      }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      _mm512_storeu_ps(scores + r * stride, _mm512_add_ps(_mm512_add_ps(sum[r][0], sum[r][1]),
                                                          _mm512_add_ps(sum[r][2], sum[r][3])));
    }
  }
}

template <int rows>
void sum_rows(const Bfloat16* values, const float* scores, std::ptrdiff_t stride, int blocks,
              float* out) {
  __m512 sum[rows][4];
#pragma GCC unroll 8
  for (auto& row : sum) {
#pragma GCC unroll 8
    for (auto& lanes : row) lanes = _mm512_setzero_ps();
  }
  for (int key = 0; key < blocks * key_lanes; key += 2, values += 2 * head_dim) {
#pragma GCC unroll 8
    for (int v = 0; v < 4; ++v) {
      const __m512i pairs = load_16_pairs(values + v * 2 * width);
#pragma GCC unroll 8
      for (int r = 0; r < rows; ++r) {
        const float* weight = scores + r * stride + key;
        sum[r][v] = _mm512_fmadd_ps(_mm512_set1_ps(weight[0]), first(pairs), sum[r][v]);
        sum[r][v] = _mm512_fmadd_ps(_mm512_set1_ps(weight[1]), second(pairs), sum[r][v]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
#pragma GCC unroll 8
    for (int v = 0; v < 4; ++v) _mm512_storeu_ps(out + r * head_dim + v * width, sum[r][v]);
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
  __m512 maximum = _mm512_loadu_ps(scores);
  for (int i = width; i < end; i += width) {
    maximum = _mm512_max_ps(maximum, _mm512_loadu_ps(scores + i));
  }
  const __m512 scale = _mm512_set1_ps(log2_e);
  const __m512 offset = _mm512_set1_ps(_mm512_reduce_max_ps(maximum));
  __m512 sum = _mm512_setzero_ps();
  for (int i = 0; i < end; i += width) {
    const __m512 below = _mm512_sub_ps(_mm512_loadu_ps(scores + i), offset);
    const __m512 p = exp2(_mm512_mul_ps(below, scale));
    sum = _mm512_add_ps(sum, p);
    _mm512_storeu_ps(scores + i, p);
  }
  std::fill(scores + n_key, scores + end, 0.0F);
  return _mm512_reduce_add_ps(sum);
}

void sum_values(const HeadKv& kv, const float* scores, std::ptrdiff_t stride, int rows, int blocks,
                float* out) {
  const auto* values = static_cast<const Bfloat16*>(kv.values);
  if (rows == 1) {
    sum_rows<1>(values, scores, stride, blocks, out);
  } else {
    sum_rows<2>(values, scores, stride, blocks, out);
  }
}

}  // namespace

KvKernel kv_kernel_bfloat16_avx512() {
  return {score, soften, sum_values};
}

}  // namespace engine::kernels

#pragma GCC pop_options
