#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "engine/kernels/attention/attention_math_avx2.h"
#include "engine/kernels/decoder_attention/decoder_attention_kernel.h"
#include "engine/kernels/largest_avx2.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

constexpr int width = 8;
constexpr float steps = 32767;

// Returns four neighbouring 16-bit integers in all of the four places of a vector.
__m256i broadcast_four(const std::int16_t* four) {
  std::int64_t bits;
  std::memcpy(&bits, four, sizeof(bits));
  return _mm256_set1_epi64x(bits);
}

__m256i load(const void* bytes) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(bytes));
}

// Writes 8 floats·factor as 16-bit integers and returns the integers.
__m256i store_rounded(__m256 x, __m256 factor, std::int16_t* out) {
  const __m256i whole = _mm256_cvtps_epi32(_mm256_mul_ps(x, factor));
  const __m128i narrow =
      _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), narrow);
  return whole;
}

void score_row(const HeadKv& kv, const float* query, int blocks, float* scores) {
  __m256i largest = _mm256_setzero_si256();
  for (int i = 0; i < head_dim; i += width) {
    largest = _mm256_max_epi32(largest, size_bits(_mm256_loadu_ps(query + i)));
  }
  const float maximum = std::max(largest_size(largest), 1e-30F);
  std::array<std::int16_t, head_dim> whole;
  __m256i sum = _mm256_setzero_si256();
  for (int i = 0; i < head_dim; i += width) {
    sum = _mm256_add_epi32(sum, store_rounded(_mm256_loadu_ps(query + i),
                                              _mm256_set1_ps(steps / maximum), whole.data() + i));
  }
  // The keys are 128 too large; the sum is small enough to be exact as a float.
  const __m256i excess =
      _mm256_set1_epi32(128 * static_cast<std::int32_t>(add_lanes(_mm256_cvtepi32_ps(sum))));
  const __m256 scale = _mm256_set1_ps(maximum / steps);
  const __m256i zero = _mm256_setzero_si256();
  const auto* keys = static_cast<const std::uint8_t*>(kv.keys);
  for (int key = 0; key < blocks * key_lanes; key += width) {
    const std::uint8_t* eight =
        keys + static_cast<std::size_t>(key / key_lanes) * key_block_size + key % key_lanes * 4;
    __m256i low = zero;  // of every second pair of keys, two terms side by side
    __m256i high = zero;
    for (int i = 0; i < head_dim; i += 4) {
      const __m256i bytes = load(eight + i * key_lanes);
      const __m256i four = broadcast_four(whole.data() + i);
      low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_unpacklo_epi8(bytes, zero), four));
      high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_unpackhi_epi8(bytes, zero), four));
    }
    const __m256i dot = _mm256_sub_epi32(_mm256_hadd_epi32(low, high), excess);
    const __m256 factor = _mm256_mul_ps(scale, _mm256_loadu_ps(kv.key_scale + key));
    _mm256_storeu_ps(scores + key, _mm256_mul_ps(_mm256_cvtepi32_ps(dot), factor));
  }
}

void score(const HeadKv& kv, const float* queries, int rows, int blocks, float* scores,
           std::ptrdiff_t stride) {
  for (int r = 0; r < rows; ++r) {
    score_row(kv, queries + r * head_dim, blocks, scores + r * stride);
  }
}

// Sums eight dimensions of the values over some blocks: few enough that 32 bits hold the sum.
__m256 sum_dimensions(const std::int8_t* values, const std::int16_t* weights, int keys) {
  __m256i low = _mm256_setzero_si256();
  __m256i high = _mm256_setzero_si256();
  for (int key = 0; key < keys; key += 4, values += 4 * head_dim) {
    const __m256i four = broadcast_four(weights + key);
    const __m256i bytes = load(values);
    const __m256i lower = _mm256_srai_epi16(_mm256_unpacklo_epi8(bytes, bytes), 8);
    const __m256i upper = _mm256_srai_epi16(_mm256_unpackhi_epi8(bytes, bytes), 8);
    low = _mm256_add_epi32(low, _mm256_madd_epi16(lower, four));
    high = _mm256_add_epi32(high, _mm256_madd_epi16(upper, four));
  }
  return _mm256_cvtepi32_ps(_mm256_hadd_epi32(low, high));
}

void sum_row(const HeadKv& kv, const float* weights, int blocks, float* out) {
  __m256i largest = _mm256_setzero_si256();
  for (int i = 0; i < blocks * key_lanes; i += width) {
    const __m256 weight =
        _mm256_mul_ps(_mm256_loadu_ps(weights + i), _mm256_loadu_ps(kv.value_scale + i));
    largest = _mm256_max_epi32(largest, size_bits(weight));
  }
  const float maximum = std::max(largest_size(largest), 1e-30F);
  std::fill(out, out + head_dim, 0.0F);
  constexpr int part = 512;  // 512·127·32767 < 2^31
  std::array<std::int16_t, part> whole;
  const auto* values = static_cast<const std::int8_t*>(kv.values);
  for (int begin = 0; begin < blocks * key_lanes; begin += part) {
    const int keys = std::min(part, blocks * key_lanes - begin);
    for (int i = 0; i < keys; i += width) {
      store_rounded(_mm256_mul_ps(_mm256_loadu_ps(weights + begin + i),
                                  _mm256_loadu_ps(kv.value_scale + begin + i)),
                    _mm256_set1_ps(steps / maximum), whole.data() + i);
    }
    for (int dim = 0; dim < head_dim; dim += width) {
      const __m256 sum =
          sum_dimensions(values + std::ptrdiff_t{begin} * head_dim + dim * 4, whole.data(), keys);
      _mm256_storeu_ps(out + dim, _mm256_fmadd_ps(sum, _mm256_set1_ps(maximum / steps),
                                                  _mm256_loadu_ps(out + dim)));
    }
  }
}

void sum_values(const HeadKv& kv, const float* scores, std::ptrdiff_t stride, int rows, int blocks,
                float* out) {
  for (int r = 0; r < rows; ++r) sum_row(kv, scores + r * stride, blocks, out + r * head_dim);
}

}  // namespace

KvKernel kv_kernel_int8_avx2() {
  return {score, kv_kernel_bfloat16_avx2().soften, sum_values};
}

}  // namespace engine::kernels

#pragma GCC pop_options
