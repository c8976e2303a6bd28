#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/kernels/attention/attention_math_avx2.h"
#include "engine/kernels/channel_rows.h"

#pragma GCC push_options
#pragma GCC target("avx2,fma")

namespace engine::kernels {
namespace {

constexpr int lanes = 8;
constexpr int rows_at_once = 64;  // that are added in float32, before their sum goes to a double
constexpr float norm_eps = 1e-5F;

__m256 size_of(__m256 x) {
  return _mm256_andnot_ps(_mm256_set1_ps(-0.0F), x);
}

__m256 leaky(__m256 x) {
  return _mm256_max_ps(x, _mm256_mul_ps(x, _mm256_set1_ps(0.01F)));
}

// A number between -1 and 1 as a fraction, whose denominator is between 1 and 2.
struct Fraction {
  __m256 above, below;
};

Fraction sigmoid(__m256 x) {
  const __m256 t = exp2(_mm256_mul_ps(size_of(x), _mm256_set1_ps(-log2_e)));
  const __m256 one = _mm256_set1_ps(1);
  return {_mm256_blendv_ps(one, t, x), _mm256_add_ps(one, t)};
}

Fraction tanh(__m256 x) {
  const __m256 t = exp2(_mm256_mul_ps(size_of(x), _mm256_set1_ps(-2 * log2_e)));
  const __m256 one = _mm256_set1_ps(1);
  const __m256 sign = _mm256_and_ps(x, _mm256_set1_ps(-0.0F));
  return {_mm256_or_ps(_mm256_sub_ps(one, t), sign), _mm256_add_ps(one, t)};
}

// Adds up the rows of each channel, or the squares of their distances to `centre`.
std::vector<double> sums_of(const float* x, int rows, int channels, const float* centre) {
  std::vector<double> totals(static_cast<std::size_t>(channels));
  for (int first = 0; first < rows; first += rows_at_once) {
    const int last = std::min(first + rows_at_once, rows);
    for (int c = 0; c < channels; c += lanes) {
      const __m256 middle = centre ? _mm256_loadu_ps(centre + c) : _mm256_setzero_ps();
      const float* from = x + static_cast<std::ptrdiff_t>(first) * channels + c;
      __m256 sum = _mm256_setzero_ps();
      for (int row = first; row < last; ++row, from += channels) {
        const __m256 y = _mm256_sub_ps(_mm256_loadu_ps(from), middle);
        sum = centre ? _mm256_fmadd_ps(y, y, sum) : _mm256_add_ps(sum, y);
      }
      alignas(32) float parts[lanes];
      _mm256_store_ps(parts, sum);
      for (int i = 0; i < lanes; ++i) totals[static_cast<std::size_t>(c + i)] += parts[i];
    }
  }
  return totals;
}

}  // namespace

void pool(const float* x, std::ptrdiff_t stride, int channels, float* out) {
  for (int c = 0; c < channels; c += lanes, x += lanes) {
    const __m256 two = _mm256_max_ps(_mm256_loadu_ps(x), _mm256_loadu_ps(x + stride));
    _mm256_storeu_ps(out + c, _mm256_max_ps(two, _mm256_loadu_ps(x + 2 * stride)));
  }
}

void pool_sizes(const float* x, std::ptrdiff_t stride, int channels, float* out) {
  for (int c = 0; c < channels; c += lanes, x += lanes) {
    const __m256 two =
        _mm256_max_ps(size_of(_mm256_loadu_ps(x)), size_of(_mm256_loadu_ps(x + stride)));
    _mm256_storeu_ps(out + c, _mm256_max_ps(two, size_of(_mm256_loadu_ps(x + 2 * stride))));
  }
}

void norm_channels(float* x, int rows, int channels, const float* weight, const float* bias) {
  std::vector<float> scale(static_cast<std::size_t>(channels));
  std::vector<float> shift(scale.size());
  const std::vector<double> sums = sums_of(x, rows, channels, nullptr);
  for (std::size_t c = 0; c < sums.size(); ++c) shift[c] = static_cast<float>(sums[c] / rows);
  const std::vector<double> squares = sums_of(x, rows, channels, shift.data());
  for (std::size_t c = 0; c < squares.size(); ++c) {
    const auto variance = static_cast<float>(squares[c] / rows);
    scale[c] = weight[c] / std::sqrt(variance + norm_eps);
    shift[c] = bias[c] - shift[c] * scale[c];
  }
  for (int row = 0; row < rows; ++row, x += channels) {
    for (int c = 0; c < channels; c += lanes) {
      const __m256 y = _mm256_fmadd_ps(_mm256_loadu_ps(x + c), _mm256_loadu_ps(&scale[c]),
                                       _mm256_loadu_ps(&shift[c]));
      _mm256_storeu_ps(x + c, leaky(y));
    }
  }
}

void leaky_relu(float* x, int n) {
  for (int i = 0; i < n; i += lanes) _mm256_storeu_ps(x + i, leaky(_mm256_loadu_ps(x + i)));
}

void add_and_subtract(const float* x, const float* y, int n, float* sums, float* differences) {
  for (int i = 0; i < n; i += lanes) {
    const __m256 a = _mm256_loadu_ps(x + i);
    const __m256 b = _mm256_loadu_ps(y + i);
    _mm256_storeu_ps(sums + i, _mm256_add_ps(a, b));
    _mm256_storeu_ps(differences + i, _mm256_sub_ps(a, b));
  }
}

// cells = forget·cells + input·new, and out = output·tanh(cells); fractions are put together, since
// a division takes as long as ten products.
void lstm_step(const float* gates, int n, float* cells, float* out) {
  for (int i = 0; i < n; i += lanes) {
    const Fraction input = sigmoid(_mm256_loadu_ps(gates + i));
    const Fraction forget = sigmoid(_mm256_loadu_ps(gates + n + i));
    const Fraction fresh = tanh(_mm256_loadu_ps(gates + 2 * n + i));
    const __m256 below = _mm256_mul_ps(input.below, fresh.below);
    const __m256 kept =
        _mm256_mul_ps(_mm256_mul_ps(forget.above, _mm256_loadu_ps(cells + i)), below);
    const __m256 added = _mm256_mul_ps(_mm256_mul_ps(input.above, fresh.above), forget.below);
    const __m256 cell =
        _mm256_div_ps(_mm256_add_ps(kept, added), _mm256_mul_ps(forget.below, below));
    _mm256_storeu_ps(cells + i, cell);
    const Fraction output = sigmoid(_mm256_loadu_ps(gates + 3 * n + i));
    const Fraction seen = tanh(cell);
    _mm256_storeu_ps(out + i, _mm256_div_ps(_mm256_mul_ps(output.above, seen.above),
                                            _mm256_mul_ps(output.below, seen.below)));
  }
}

}  // namespace engine::kernels

#pragma GCC pop_options
