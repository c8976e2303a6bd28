#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "engine/kernels/decoder_attention/decoder_attention_kernel.h"
#include "engine/kernels/fetch_ahead_x86.h"
#include "engine/kernels/largest_avx512.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")

namespace engine::kernels {
namespace {

constexpr int width = 16;

__m512i broadcast_four(const std::uint8_t* bytes) {
  std::int32_t bits;
  std::memcpy(&bits, bytes, sizeof(bits));
  return _mm512_set1_epi32(bits);
}

// A query as scale·(256·high + low), both with a sign, and the sum of the integers.
struct SplitQuery {
  std::array<std::uint8_t, head_dim> high, low;
  float scale;
  std::int32_t sum;
};

SplitQuery split(const float* query) {
  __m512i largest = _mm512_setzero_si512();
  for (int i = 0; i < head_dim; i += width) {
    largest = _mm512_max_epi32(largest, size_bits(_mm512_loadu_ps(query + i)));
  }
  constexpr float steps = 127 * 256;
  const float maximum = std::max(largest_size(largest), 1e-30F);
  const __m512 inverse = _mm512_set1_ps(steps / maximum);
  SplitQuery result;
  result.scale = maximum / steps;
  __m512i sum = _mm512_setzero_si512();
  for (int i = 0; i < head_dim; i += width) {
    const __m512i whole = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_loadu_ps(query + i), inverse));
    sum = _mm512_add_epi32(sum, whole);
    const __m512i high = _mm512_srai_epi32(_mm512_add_epi32(whole, _mm512_set1_epi32(128)), 8);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(result.high.data() + i),
                     _mm512_cvtepi32_epi8(high));
    // This is modulo 256: what is left of `whole` is between -128 and 127.
    _mm_storeu_si128(reinterpret_cast<__m128i*>(result.low.data() + i),
                     _mm512_cvtepi32_epi8(whole));
  }
  result.sum = _mm512_reduce_add_epi32(sum);
  return result;
}

// Four sums are under way, to hide the latency of one.
void score_row(const HeadKv& kv, const SplitQuery& query, int blocks, float* scores) {
  const auto* keys = static_cast<const std::uint8_t*>(kv.keys);
  const __m512 scale = _mm512_set1_ps(query.scale);
  // The keys are 128 too large.
  const __m512i excess = _mm512_set1_epi32(128 * query.sum);
  for (int block = 0; block < blocks; ++block, keys += key_block_size) {
    __m512i high[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    __m512i low[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()};
#pragma GCC unroll 16
    for (int four = 0; four < head_dim / 4; ++four) {
      fetch_ahead<64>(keys + four * 4 * key_lanes);
      const __m512i key = _mm512_loadu_si512(keys + four * 4 * key_lanes);
      const int at = four % 2;
      high[at] = _mm512_dpbusd_epi32(high[at], key, broadcast_four(query.high.data() + four * 4));
      low[at] = _mm512_dpbusd_epi32(low[at], key, broadcast_four(query.low.data() + four * 4));
    }
    const __m512i upper = _mm512_slli_epi32(_mm512_add_epi32(high[0], high[1]), 8);
    const __m512i lower = _mm512_sub_epi32(_mm512_add_epi32(low[0], low[1]), excess);
    const __m512 factor = _mm512_mul_ps(scale, _mm512_loadu_ps(kv.key_scale + block * key_lanes));
    _mm512_storeu_ps(scores + block * key_lanes,
                     _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_add_epi32(upper, lower)), factor));
  }
}

void score(const HeadKv& kv, const float* queries, int rows, int blocks, float* scores,
           std::ptrdiff_t stride) {
  for (int r = 0; r < rows; ++r) {
    score_row(kv, split(queries + r * head_dim), blocks, scores + r * stride);
  }
}

// Sums the values for one row. The weights, with the values' scales in them, are first split like a
// query, without signs and a block of keys at a time.
void sum_row(const HeadKv& kv, const float* scores, int blocks, float* out) {
  __m512i largest = _mm512_setzero_si512();
  for (int i = 0; i < blocks * key_lanes; i += width) {
    const __m512 weight =
        _mm512_mul_ps(_mm512_loadu_ps(scores + i), _mm512_loadu_ps(kv.value_scale + i));
    largest = _mm512_max_epi32(largest, size_bits(weight));
  }
  constexpr float steps = 65535;
  const float maximum = std::max(largest_size(largest), 1e-30F);
  const __m512 inverse = _mm512_set1_ps(steps / maximum);
  const auto* values = static_cast<const std::int8_t*>(kv.values);
  __m512i high_sum[4], low_sum[4];
#pragma GCC unroll 8
  for (int v = 0; v < 4; ++v) high_sum[v] = low_sum[v] = _mm512_setzero_si512();
  for (int key = 0; key < blocks * key_lanes; key += key_lanes) {
    const __m512 weight =
        _mm512_mul_ps(_mm512_loadu_ps(scores + key), _mm512_loadu_ps(kv.value_scale + key));
    const __m512i whole = _mm512_cvtps_epi32(_mm512_mul_ps(weight, inverse));
    const __m128i high = _mm512_cvtepi32_epi8(_mm512_srli_epi32(whole, 8));
    const __m128i low = _mm512_cvtepi32_epi8(whole);
    alignas(16) std::array<std::uint8_t, key_lanes> high_bytes, low_bytes;
    _mm_store_si128(reinterpret_cast<__m128i*>(high_bytes.data()), high);
    _mm_store_si128(reinterpret_cast<__m128i*>(low_bytes.data()), low);
#pragma GCC unroll 4
    for (int four = 0; four < key_lanes; four += 4, values += 4 * head_dim) {
      const __m512i upper = broadcast_four(high_bytes.data() + four);
      const __m512i lower = broadcast_four(low_bytes.data() + four);
#pragma GCC unroll 8
      for (int v = 0; v < 4; ++v) {
        fetch_ahead<64>(values + v * 64);
        const __m512i value = _mm512_loadu_si512(values + v * 64);
        high_sum[v] = _mm512_dpbusd_epi32(high_sum[v], upper, value);
        low_sum[v] = _mm512_dpbusd_epi32(low_sum[v], lower, value);
      }
    }
  }
  const __m512 scale = _mm512_set1_ps(maximum / steps);
#pragma GCC unroll 8
  for (int v = 0; v < 4; ++v) {
    const __m512 sum = _mm512_fmadd_ps(_mm512_cvtepi32_ps(high_sum[v]), _mm512_set1_ps(256.0F),
                                       _mm512_cvtepi32_ps(low_sum[v]));
    _mm512_storeu_ps(out + v * width, _mm512_mul_ps(sum, scale));
  }
}

void sum_values(const HeadKv& kv, const float* scores, std::ptrdiff_t stride, int rows, int blocks,
                float* out) {
  for (int r = 0; r < rows; ++r) sum_row(kv, scores + r * stride, blocks, out + r * head_dim);
}

}  // namespace

KvKernel kv_kernel_int8_vnni() {
  return {score, kv_kernel_bfloat16_avx512().soften, sum_values};
}

}  // namespace engine::kernels

#pragma GCC pop_options
