#include <immintrin.h>

#include "engine/kernels/gemm/store_avx2.h"
#include "engine/kernels/relu_rows.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

constexpr int lanes = 8;

float largest_lane(__m256 v) {
  __m128 half = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  half = _mm_max_ps(half, _mm_movehl_ps(half, half));
  return _mm_cvtss_f32(_mm_max_ss(half, _mm_movehdup_ps(half)));
}

// The second operand is taken where one is no number, and so such a number stays none.
__m256 positive(__m256 x) {
  return _mm256_max_ps(_mm256_setzero_ps(), x);
}

}  // namespace

float relu(float* x, int n) {
  __m256 largest = _mm256_setzero_ps();
  for (int i = 0; i < n; i += lanes) {
    const __m256 y = positive(_mm256_loadu_ps(x + i));
    _mm256_storeu_ps(x + i, y);
    largest = _mm256_max_ps(largest, y);
  }
  return largest_lane(largest);
}

float add_relu(float* x, const float* y, int n) {
  __m256 largest = _mm256_setzero_ps();
  for (int i = 0; i < n; i += lanes) {
    const __m256 sum = positive(_mm256_add_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
    _mm256_storeu_ps(x + i, sum);
    largest = _mm256_max_ps(largest, sum);
  }
  return largest_lane(largest);
}

void norm_relu(const float* x, const float* scale, const float* shift, int n, float* out) {
  for (int i = 0; i < n; i += lanes) {
    const __m256 y = _mm256_fmadd_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(scale + i),
                                     _mm256_loadu_ps(shift + i));
    _mm256_storeu_ps(out + i, positive(y));
  }
}

void quantize_positive(const float* x, int n, float scale, std::uint8_t* q) {
  const __m256 inverse = _mm256_set1_ps(scale > 0 ? 1 / scale : 0);
  for (int i = 0; i < n; i += lanes) {
    const __m256i whole = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x + i), inverse));
    const __m128i half =
        _mm_packus_epi32(_mm256_castsi256_si128(whole), _mm256_extracti128_si256(whole, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(q + i), _mm_packus_epi16(half, half));
  }
}

void round_row(const float* x, int n, Bfloat16* out) {
  for (int i = 0; i < n; i += lanes) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i), to_bfloat16(_mm256_loadu_ps(x + i)));
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
