#include <immintrin.h>

#include <algorithm>
#include <limits>

#include "engine/kernels/attention/attention_math_avx2.h"
#include "engine/kernels/decoder_attention/decoder_attention_kernel.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

constexpr int width = 8;

// A block of 16 keys is two vectors wide.
template <int rows>
void score_rows(const Bfloat16* keys, const float* queries, int blocks, float* scores,
                std::ptrdiff_t stride) {
  for (int block = 0; block < blocks; ++block, scores += key_lanes) {
    __m256 sum[rows][4];
#pragma GCC unroll 8
    for (auto& row : sum) {
#pragma GCC unroll 8
      for (auto& lanes : row) lanes = _mm256_setzero_ps();
    }
    for (int pair = 0; pair < head_dim / 2; ++pair, keys += 2 * key_lanes) {
      const __m256i a = load_8_pairs(keys);
      const __m256i b = load_8_pairs(keys + 2 * width);
#pragma GCC unroll 8
      for (int r = 0; r < rows; ++r) {
        const __m256 x = _mm256_set1_ps(queries[r * head_dim + 2 * pair]);
        const __m256 y = _mm256_set1_ps(queries[r * head_dim + 2 * pair + 1]);
        sum[r][0] = _mm256_fmadd_ps(x, first(a), sum[r][0]);
        sum[r][1] = _mm256_fmadd_ps(y, second(a), sum[r][1]);
        sum[r][2] = _mm256_fmadd_ps(x, first(b), sum[r][2]);
        sum[r][3] = _mm256_fmadd_ps(y, second(b), sum[r][3]);
      }
    }
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      _mm256_storeu_ps(scores + r * stride, _mm256_add_ps(sum[r][0], sum[r][1]));
      _mm256_storeu_ps(scores + r * stride + width, _mm256_add_ps(sum[r][2], sum[r][3]));
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
  __m256 maximum = _mm256_loadu_ps(scores);
  for (int i = width; i < end; i += width) {
    maximum = _mm256_max_ps(maximum, _mm256_loadu_ps(scores + i));
  }
  const __m256 scale = _mm256_set1_ps(log2_e);
  const __m256 offset = _mm256_set1_ps(maximum_lane(maximum));
  __m256 sum = _mm256_setzero_ps();
  for (int i = 0; i < end; i += width) {
    const __m256 below = _mm256_sub_ps(_mm256_loadu_ps(scores + i), offset);
    const __m256 p = exp2(_mm256_mul_ps(below, scale));
    sum = _mm256_add_ps(sum, p);
    _mm256_storeu_ps(scores + i, p);
  }
  std::fill(scores + n_key, scores + end, 0.0F);
  return add_lanes(sum);
}

// Sums the values for one row: two would need more registers than there are.
void sum_row(const Bfloat16* values, const float* weights, int blocks, float* out) {
  __m256 sum[8];
#pragma GCC unroll 8
  for (auto& lanes : sum) lanes = _mm256_setzero_ps();
  for (int key = 0; key < blocks * key_lanes; key += 2, values += 2 * head_dim) {
    const __m256 x = _mm256_set1_ps(weights[key]);
    const __m256 y = _mm256_set1_ps(weights[key + 1]);
#pragma GCC unroll 8
    for (int v = 0; v < 8; ++v) {
      const __m256i pairs = load_8_pairs(values + v * 2 * width);
      sum[v] = _mm256_fmadd_ps(x, first(pairs), sum[v]);
      sum[v] = _mm256_fmadd_ps(y, second(pairs), sum[v]);
    }
  }
#pragma GCC unroll 8
  for (int v = 0; v < 8; ++v) _mm256_storeu_ps(out + v * width, sum[v]);
}

void sum_values(const HeadKv& kv, const float* scores, std::ptrdiff_t stride, int rows, int blocks,
                float* out) {
  const auto* values = static_cast<const Bfloat16*>(kv.values);
  for (int r = 0; r < rows; ++r) {
    sum_row(values, scores + r * stride, blocks, out + r * head_dim);
  }
}

}  // namespace

KvKernel kv_kernel_bfloat16_avx2() {
  return {score, soften, sum_values};
}

}  // namespace engine::kernels

#pragma GCC pop_options
