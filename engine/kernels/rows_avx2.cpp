#include <immintrin.h>

#include <algorithm>
#include <cmath>

#include "engine/kernels/gemm/store_avx2.h"
#include "engine/kernels/largest_avx2.h"
#include "engine/kernels/rows.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

constexpr int lanes = 8;

float sum(__m256 v) {
  __m128 half = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  half = _mm_add_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

__m256 quantized(const float* x, __m256 inverse, __m256 zero) {
  return _mm256_fmadd_ps(_mm256_loadu_ps(x), inverse, zero);
}

}  // namespace

void layer_norm(const float* x, const LayerNormWeights& norm, int n, float* out) {
  __m256 total = _mm256_setzero_ps();
  for (int i = 0; i < n; i += lanes) total = _mm256_add_ps(total, _mm256_loadu_ps(x + i));
  const __m256 mean = _mm256_set1_ps(sum(total) / static_cast<float>(n));
  __m256 squares = _mm256_setzero_ps();
  for (int i = 0; i < n; i += lanes) {
    const __m256 centred = _mm256_sub_ps(_mm256_loadu_ps(x + i), mean);
    squares = _mm256_fmadd_ps(centred, centred, squares);
  }
  const float variance = sum(squares) / static_cast<float>(n);
  const __m256 factor = _mm256_set1_ps(1 / std::sqrt(variance + 1e-5F));
  for (int i = 0; i < n; i += lanes) {
    const __m256 unit = _mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(x + i), mean), factor);
    _mm256_storeu_ps(out + i, _mm256_fmadd_ps(unit, _mm256_loadu_ps(norm.weight + i),
                                              _mm256_loadu_ps(norm.bias + i)));
  }
}

void quantize(const float* x, int n, std::uint8_t* q, float* scale, float* zero) {
  // Numbers with a sign lie below 0 as integers: each of the two sees its own half, and NaN has a
  // sign, too.
  __m256i high = _mm256_setzero_si256();
  __m256i low = _mm256_setzero_si256();
  const __m256i sign = _mm256_set1_epi32(std::numeric_limits<int>::min());
  for (int i = 0; i < n; i += lanes) {
    const __m256i bits = _mm256_castps_si256(_mm256_loadu_ps(x + i));
    high = _mm256_max_epi32(high, bits);
    low = _mm256_max_epi32(low, _mm256_xor_si256(bits, sign));
  }
  const float top = largest_size(high);
  const float bottom = largest_size(low);
  // In this order std::max hands on NaN.
  const float range = std::max(top + bottom, 1e-20F);
  *scale = range / 255;
  *zero = std::nearbyint(bottom / range * 255);
  const __m256 inverse = _mm256_set1_ps(255 / range);
  const __m256 shift = _mm256_set1_ps(*zero);
  // Packing works within the halves of a register; this puts the fours back in order.
  const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
  int i = 0;
  for (; i + 32 <= n; i += 32) {
    const __m256i a = _mm256_cvtps_epi32(quantized(x + i, inverse, shift));
    const __m256i b = _mm256_cvtps_epi32(quantized(x + i + 8, inverse, shift));
    const __m256i c = _mm256_cvtps_epi32(quantized(x + i + 16, inverse, shift));
    const __m256i d = _mm256_cvtps_epi32(quantized(x + i + 24, inverse, shift));
    const __m256i packed =
        _mm256_packus_epi16(_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(q + i),
                        _mm256_permutevar8x32_epi32(packed, order));
  }
  for (; i < n; ++i) {
    q[i] = static_cast<std::uint8_t>(
        std::clamp(std::nearbyint(std::fma(x[i], 255 / range, *zero)), 0.0F, 255.0F));
  }
}

float quantize_signed(const float* x, int n, std::int8_t* q) {
  __m256i largest = _mm256_setzero_si256();
  for (int i = 0; i < n; i += lanes) {
    largest = _mm256_max_epi32(largest, size_bits(_mm256_loadu_ps(x + i)));
  }
  const float maximum = std::max(largest_size(largest), 1e-30F);
  const __m256 inverse = _mm256_set1_ps(127.0F / maximum);
  for (int i = 0; i < n; i += lanes) {
    const __m256i whole = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x + i), inverse));
    const __m128i words =
        _mm_packs_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(q + i), _mm_packs_epi16(words, words));
  }
  return maximum / 127.0F;
}

void round(const float* x, int n, Bfloat16* out) {
  for (int i = 0; i < n; i += lanes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), to_bfloat16(_mm256_loadu_ps(x + i)));
  }
}

void add(float* x, const float* y, int n) {
  for (int i = 0; i < n; i += lanes) {
    _mm256_storeu_ps(x + i, _mm256_add_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
